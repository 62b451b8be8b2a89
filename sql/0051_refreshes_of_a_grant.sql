-- How many tokens a grant was given in its minute. A client that refreshes without pause adds two rows each time, of which one stays for a month: its
-- address says little, for all people of a client of AI come from the same few.

-- A window of a minute that begins with its first token; the row is written at each refresh anyway.
alter table oauth_grants
  add column counted_since timestamptz(3) not null default now(),
  add column counted_tokens integer not null default 0;
