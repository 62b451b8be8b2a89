-- A turn's job is found by its id. The queue is empty again and again, and a plan made then reads all of it from beginning to end, for as long as
-- the connection keeps the plan: with ten thousand jobs waiting, several milliseconds for each end of a turn.

alter function webhook_release(text[], text[], uuid[], boolean[], bigint[], integer[]) set enable_seqscan to off;
