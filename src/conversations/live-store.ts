// Conversations and messages of several workspaces at once, as they are now: for those who watch them.
import { columns } from '../postgres/row-set.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { json } from './store.ts'

export interface Wanted {
  tenant: string
  conversation: string
  /** A message of this conversation; undefined: the conversation itself. */
  message?: string | undefined
}

const WANTED = columns({ tenant: 'text', conversation: 'text', message: 'text' })

/** The public JSON of what the row `r` names by `tenant`, `conversation` and `message`; null where there is none. */
export const renderedOne = part`
  case when r.message is null
       then (select ${json} from conversations t where t.tenant_id = r.tenant and t.id = r.conversation)
       else (select m.doc from messages m where m.tenant_id = r.tenant and m.id = r.message and m.conversation_id = r.conversation)
  end`

/** @returns the public JSON of each, in their order; null where there is none */
export async function rendered(sql: Queryable, wanted: Wanted[]): Promise<(string | null)[]> {
  const rows = await sql<{ json: string | null }[]>`
    select ${renderedOne} as json
      from ${WANTED.numbered(wanted.map(({ tenant, conversation, message }) => ({ tenant, conversation, message: message ?? null })))}
     order by r.n`
  return rows.map(row => row.json)
}
