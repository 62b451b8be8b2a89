-- Mails that hold a link by which somebody joins a workspace or sets a password: the link stands apart from the text, and goes once the mail is sent or
-- the link is dead, so that a reader of this table can use neither.
alter table mails add column link text, add column link_until timestamptz(3);

create index mails_link on mails (tenant_id, kind, recipient) where link is not null;
create index mails_link_until on mails (link_until) where link is not null;
