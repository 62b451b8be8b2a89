-- Requests that a person's browser sends to the API count as those of a key do: in a log of the person's in the workspace, which a new sign-in does not
-- change. Its number is beside those of keys, which begin at one, and of grants, which are negative.
alter table memberships add column ring integer not null generated always as identity (start with 1000000000);

create unique index memberships_ring on memberships (ring);
