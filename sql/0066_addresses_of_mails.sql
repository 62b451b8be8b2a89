-- To which address a mail of unread answers went, as SHA-256 of the address in lower case: ending such mails ends all to it, whoever types it.
alter table chat_mails add column address bytea;
alter table chat_mail_ends add column address bytea;

create index chat_mail_ends_address on chat_mail_ends (tenant_id, channel_id, address);
