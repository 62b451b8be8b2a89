-- Forms of pages that were sent: each is good once, so that a second click or a reload does nothing again. The cell's own: a form may be sent before
-- anyone has signed in, and its row goes once the form is too old to be taken.

create table used_forms (
  number text not null,
  used_at timestamptz(3) not null default now(),
  primary key (number)
);

create index used_forms_age on used_forms (used_at);
