-- A worker whose name servers do not answer, that opens no more connections or reaches hardly anybody, counts that for no receiver: nothing is disabled,
-- and nothing is sent either. Whoever asks why (`shopdesk doctor`) is told by the worker's own word, beside its sign of life.
alter table worker_pools add column trouble text;
