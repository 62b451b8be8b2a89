-- Which row a job serves is found by an index. The sweeps ask it of each row whose job may be lost, and read the whole queue for fifty thousand of them: with 400 000
-- webhooks waiting in it such a statement took longer than it may, and nothing behind those was looked at. Few jobs are written where much happens: a webhook has
-- one while it is busy, and none where a worker was told directly.

-- Each payload of a job that a sweep looks for has one of these members. The schema is that of Graphile Worker, which may outlive ours.
create index if not exists jobs_by_row on graphile_worker._private_jobs ((coalesce(payload ->> 'endpointId', payload ->> 'channelId', payload ->> 'appId')));
