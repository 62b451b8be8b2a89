// How the service of an app has been answering.
import type { Queryable } from '../postgres/sql.ts'
import * as store from './health-store.ts'

/** The health of the calls of the last 24 hours. @param app `app_…` */
export const healthOfCalls = (sql: Queryable, tenant: string, app: string): Promise<store.CallsHealth> =>
  store.callsHealth(sql, tenant, app)
