// What fetching a file does to its message.
import { changedPart } from '../live/feed.ts'
import { part, type Tx } from '../postgres/sql.ts'
import type { Message } from './schema.ts'

/** A message, with its conversation locked; undefined where it is gone. */
export async function holdMessage(tx: Tx, tenant: string, id: string): Promise<Message | undefined> {
  const ofMessage = part`from messages m where m.tenant_id = ${tenant} and m.id = ${id}`
  await tx`
    select 1
      from conversations t
     where t.tenant_id = ${tenant} and t.id = (select m.conversation_id ${ofMessage})
       for no key update`
  // A statement of its own: it sees what was written while the lock was waited for.
  const [row] = await tx<{ doc: string }[]>`select m.doc ${ofMessage}`
  return row && (JSON.parse(row.doc) as Message)
}

export async function saveMessage(tx: Tx, tenant: string, message: Message): Promise<void> {
  const changes = [{ conversation: message.conversation_id, message: message.id }]
  await tx`
    with told as (${changedPart(tx, tenant, changes)})
    update messages
       set doc = ${JSON.stringify(message)}
     where tenant_id = ${tenant} and id = ${message.id}`
}
