-- Dead rows stay flat. Every delivery is written twice, and by default the dead are cleared away when they are a fifth of the table: the longer
-- the log of thirty days, the more of them the indexes of what is due carry along. From here on it is a hundredth.

alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
