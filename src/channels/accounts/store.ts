// Every statement of channels as their owner sees them. The statements of sending are in ../sending/.
import { now } from '../../clock.ts'
import type { Queryable, Tx } from '../../postgres/sql.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Settings } from './settings.ts'

export type Status = 'enabled' | 'disabled' | 'failing' | 'deleted'

export interface Row {
  id: string
  platform: PlatformName
  name: string
  status: Status
  account_id: string | null
  account_name: string | null
  settings: Settings
}

export const findAll = (sql: Queryable, tenant: string, ids: string[]): Promise<Row[]> => sql<Row[]>`
  select c.id, c.platform, c.name, c.status, c.account_id, c.account_name, c.settings
    from channels c
   where c.tenant_id = ${tenant} and c.id = any (${ids}::text[])`

export interface NewRow extends Omit<Row, 'status'> {
  /** Encrypted. */
  credentials: string
}

export async function insert(tx: Tx, tenant: string, { settings, ...columns }: NewRow): Promise<void> {
  const at = new Date(now())
  const row = { tenant_id: tenant, ...columns, settings: settings as never, token_at: at, created_at: at, updated_at: at }
  await tx`insert into channels ${tx(row)}`
}
