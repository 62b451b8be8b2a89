-- The same Telegram user or WhatsApp number is one contact, whichever of a workspace's channels hears of them first; but two channels that heard of
-- them for the first time at the same moment saw nothing of each other, and made two. The first one now writes the person's key with their id: the
-- other's row is refused, and it looks again. Rows that are older need none, for they are found by their ids.
alter table contact_channels add column person_key text;

create unique index contact_channels_first on contact_channels (tenant_id, platform, person_key) where person_key is not null;
