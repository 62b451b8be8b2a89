-- What the assistant answers from. Apps bring texts, which come and go with them; the workspace writes its own.
create table knowledge (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  source text not null check (source in ('app', 'workspace')),
  -- of an app: which one, and what its manifest calls the text
  app text,
  entry text,
  title text not null,
  content text not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  check ((source = 'app') = (app is not null and entry is not null))
);

create unique index knowledge_of_app on knowledge (tenant_id, app, entry) where app is not null;
create index knowledge_title on knowledge (tenant_id, title, id);
