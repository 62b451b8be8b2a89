-- The visitor that a browser was when it used the link of a mail: should the answer be lost, the same one may use it again.
alter table chat_mails add column used_by text;
