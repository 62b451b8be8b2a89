// The statement that finds channels of web chat.
import type { Queryable } from '../../postgres/sql.ts'
import type { Settings } from './settings.ts'

interface Row {
  tenant_id: string
  id: string
  name: string
  status: 'enabled' | 'disabled' | 'failing'
  settings: Settings
  credentials: string
  previous_secret: string | null
}

export const find = (sql: Queryable, ids: string[]): Promise<Row[]> => sql<Row[]>`
  select c.tenant_id, c.id, c.name, c.status, c.settings, c.credentials,
         case when c.previous_secret_until > now() then c.previous_secret end as previous_secret
    from channels c
   where c.id = any (${ids}::text[]) and c.platform = 'web' and c.status <> 'deleted' and c.credentials is not null`
