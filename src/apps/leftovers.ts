// What an uninstalled app left: deleted after a month, its records in small batches first.
import { forgetRuns } from '../flows/stop.ts'
import { UNINSTALLED_DAYS } from '../limits/apps.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import type { Prune } from '../postgres/prune.ts'
import { removeSomeOfApp } from '../records/records.ts'
import * as store from './store.ts'

/** Apps that a pass looks at together. */
const APPS_AT_ONCE = 100

export const pruneUninstalled: Prune = async function* (sql) {
  for (;;) {
    const apps = await store.expired(sql, UNINSTALLED_DAYS, APPS_AT_ONCE)
    for (const { tenant, id, app_id } of apps) {
      for (let deleted = PRUNE_BATCH; deleted === PRUNE_BATCH; yield deleted)
        deleted = await removeSomeOfApp(sql, tenant, app_id, PRUNE_BATCH)
      await forgetRuns(sql, { tenant, id })
      await store.remove(sql, tenant, id)
    }
    if (apps.length < APPS_AT_ONCE) return
  }
}
