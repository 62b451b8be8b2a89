-- A call's row does not refer to its app any more. Whether the app is there is asked by the statement that writes the row, which compares the app's version;
-- the reference locked the app's row once more for each call, which was a third of what beginning one cost. Calls are pruned after 30 days, as is an app that
-- was uninstalled, so none outlive it for long.
alter table skill_calls drop constraint skill_calls_tenant_id_app_fkey;
