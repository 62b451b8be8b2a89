-- An attempt of the message may have been taken: its receiver tells repeats, so it is sent again, and where it is not it cannot be said to have failed.
alter table channel_sends add column in_doubt boolean not null default false;
