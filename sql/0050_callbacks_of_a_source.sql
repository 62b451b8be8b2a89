-- A source is of one tenant. Without knowing this, a planner that multiplies both shares takes a source for nearly empty, and reads all of its callbacks by
-- the primary key, done ones of a week included, to find the few that wait.
create statistics callbacks_of_a_source (dependencies) on tenant_id, source_id from callbacks;
