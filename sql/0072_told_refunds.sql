-- The payment's provider has told of the refund: one of the same amount that a person records without an id of their own is probably the same one, and asked about.
alter table refunds add column told boolean not null default false;
