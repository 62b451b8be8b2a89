-- A customer's message goes on with the last conversation of its thread: the open one, else the one that was closed last, for an older one may have been
-- reopened and closed again since.
drop index conversations_thread;
create index conversations_thread on conversations (tenant_id, channel_id, thread, closed_at desc nulls first);
