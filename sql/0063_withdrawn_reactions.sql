-- When each side withdrew its reaction to a message, by the platform's clock: {"customer":"2026-05-25T10:00:00.000Z"}. Platforms tell of things again, and in any
-- order, and of a withdrawn reaction nothing is left in the message that would say that it is the older one.
alter table messages add column withdrawn text;
