// What became of the callbacks of a source, as it is shown.
import type { Ref } from '../ids.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Note } from './store.ts'

export type Status = Note['status']

export interface Line {
  id: string
  status: Status
  reason: string | null
  attempts: number
  received_at: Date
  /** When a waiting one is applied next. */
  due_at: Date | null
  done_at: Date | null
  body: string
}

const LINE = part`
  c.id, c.status, c.reason, c.attempts, c.received_at, case when c.status = 'waiting' then c.due_at end as due_at, c.done_at, c.body`

/** One of them, or none. */
export const one = (sql: Queryable, { tenant, id }: Ref, callback: string): Promise<Line[]> => sql<Line[]>`
  select ${LINE} from callbacks c where c.tenant_id = ${tenant} and c.source_id = ${id} and c.id = ${callback}`

/** The latest first. @param before the id of the last one that was shown */
export const list = (
  sql: Queryable,
  { tenant, id }: Ref,
  { status, before, limit }: { status?: Status; before?: string; limit: number },
): Promise<Line[]> => sql<Line[]>`
  select ${LINE}
    from callbacks c
   where c.tenant_id = ${tenant} and c.source_id = ${id}
     ${when(status, value => part`and c.status = ${value}`)}
     ${when(before, value => part`and c.id < ${value}`)}
   order by c.id desc
   limit ${limit}`

const when = <T>(value: T | undefined, condition: (value: T) => Fragment): Fragment => (value === undefined ? part`` : condition(value))
