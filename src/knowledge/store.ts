// Every statement of knowledge.
import { iso } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'

export interface Row {
  tenant: string
  id: string
  app: string
  entry: string
  title: string
  content: string
}

const ROWS = columns({ tenant: 'text', id: 'text', app: 'text', entry: 'text', title: 'text', content: 'text' })

/** A text that is as it was keeps its id and its time. */
export async function upsert(tx: Tx, rows: Row[], at: Date): Promise<void> {
  await tx`
    insert into knowledge as k (tenant_id, id, source, app, entry, title, content, updated_at)
    select r.tenant, r.id, 'app', r.app, r.entry, r.title, r.content, ${at}::timestamptz
      from ${ROWS.of(rows)}
    on conflict (tenant_id, app, entry) where app is not null do update
       set title = excluded.title, content = excluded.content, updated_at = excluded.updated_at
     where k.title <> excluded.title or k.content <> excluded.content`
}

/** All of an app but these entries. */
export async function removeOthers(tx: Tx, tenant: string, app: string, entries: string[]): Promise<void> {
  await tx`
    delete from knowledge
     where tenant_id = ${tenant} and app = ${app} and entry <> all (${arrayText(entries)}::text::text[])`
}

export interface Listed {
  id: string
  title: string
  source: 'app' | 'workspace'
  /** ISO 8601 */
  updated_at: string
}

export const titles = (sql: Queryable, tenant: string, most: number): Promise<Listed[]> => sql<Listed[]>`
  select k.id, k.title, k.source, ${iso(part`k.updated_at`)} as updated_at
    from knowledge k
   where k.tenant_id = ${tenant}
   order by k.title, k.id
   limit ${most}`
