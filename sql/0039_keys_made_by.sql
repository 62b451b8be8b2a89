-- Who made each key: an admin who wonders what a key is for asks that person. The audit log knows it of the keys that are there; it is not asked for the
-- list, which is to cost one look at the keys.
alter table api_keys add column made_by_type text;
alter table api_keys add column made_by_id text;

update api_keys k
   set made_by_type = a.actor_type, made_by_id = a.actor_id
  from audit_log a
 where a.tenant_id = k.tenant_id and a.subject_id = k.id and a.action = 'key.create';

-- A page of the keys of one kind that open something, the newest first.
create index api_keys_open on api_keys (tenant_id, kind, id) where revoked_at is null;
