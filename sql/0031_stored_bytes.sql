-- How many bytes of uploads and exports are kept for a workspace is looked at whenever one begins or grows: from two short indexes, one of what is not
-- over, one of the files that are kept.

create index imports_under_way on imports (tenant_id) where status in ('uploading', 'queued', 'running');
create index exports_kept on exports (tenant_id) include (stored_bytes) where state = 'completed';

-- Why an export failed, for programs; `reason` says it to people.
alter table exports add column reason_code text;
