-- A number for the apps of a workspace, another after each change of one: what a process keeps of them counts as long as it is the same, and asking for it is one
-- look in one index. The statement that writes an app raises it (src/apps/store.ts). Installs of a workspace wait for each other here.
create table app_versions (
  tenant_id text primary key,
  version bigint not null
) with (fillfactor = 40);
