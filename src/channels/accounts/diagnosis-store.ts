// Every statement about the channels of all workspaces, for `shopdesk doctor`.
import type { Queryable } from '../../postgres/sql.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Settings } from './settings.ts'
import type { Status } from './store.ts'

export interface Found {
  tenant: string
  id: string
  platform: PlatformName
  status: Status
  settings: Settings
  last_error: string | null
}

/** Those that are used, the latest first. */
export const findForDoctor = (sql: Queryable, most: number): Promise<Found[]> => sql<Found[]>`
  select c.tenant_id as tenant, c.id, c.platform, c.status, c.settings, c.last_error
    from channels c
   where c.status in ('enabled', 'failing')
   order by c.created_at desc
   limit ${most}`
