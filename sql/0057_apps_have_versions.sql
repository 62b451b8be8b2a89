-- A number for the apps of a workspace, another after each change of one: what a process keeps of them counts as long as it is the same, and asking for it is one
-- look in one index. By a trigger, for processes of the program before this one change apps as well. Installs of a workspace wait for each other here.
create table app_versions (
  tenant_id text primary key,
  version bigint not null
) with (fillfactor = 40);

create function app_changed() returns trigger language plpgsql as $$
begin
  insert into app_versions as v (tenant_id, version) values (new.tenant_id, 1)
  on conflict (tenant_id) do update set version = v.version + 1;
  return null;
end
$$;

create trigger app_changed after insert or update on apps for each row execute function app_changed();
