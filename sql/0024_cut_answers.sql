-- Whether the log has the whole of an answer's body. A cut body looked like a whole one: neither the receiver's owner nor we could tell a long
-- answer from one that broke off or never came to its end. Without a default, so the table is not rewritten.

-- null for a whole one, else 'size' (there was more than is kept) or what ended it: 'timeout', 'connection-reset', …
alter table webhook_attempts add column truncated text;
