-- Dead rows stay flat in tables that grow, too. Each order answers its idempotency key and counts at its contact, which leaves a dead row in
-- both; by default they are cleared away when they are a fifth of the table, so the dead would grow with the living.

alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
alter table contacts set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
