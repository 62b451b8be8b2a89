-- What processes notice of the place they run in and cannot mend: a proxy in front that no setting speaks of. The log says it once, where
-- few look; `shopdesk doctor`, which may run on another machine, shares nothing with them but the database. One row for each thing, the latest.
create table notices (
  name text primary key,
  detail text not null,
  seen_at timestamptz(3) not null default now()
);
