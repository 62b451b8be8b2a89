-- Where mail programs send what the button for no more of these mails does (RFC 8058): of mails to customers alone. Null: the mail has none.
alter table mails add column unsubscribe text;
