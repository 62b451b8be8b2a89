// What a person's words do to the assistant's that have not begun to go out: they are withdrawn.
import { withdrawn } from '../channels/sending/queue.ts'
import type { Tx } from '../postgres/sql.ts'
import { type Change, setMessage } from './change.ts'
import { moved } from './message.ts'
import type { Failure, Message } from './schema.ts'

/** What the assistant said and a person cut short. It is nothing to be looked at, so it does not count as failed. */
export const TAKEN_OVER: Failure = { code: 'taken_over', message: 'A member of your staff took over before it was sent.' }

const isWaiting = ({ author, status }: Message): boolean => author.type === 'ai' && status === 'queued'

/** Withdraws what of the assistant's words in a conversation waits to be sent; one that is under way goes on. The change holds its unsettled messages. */
export async function withdraw(tx: Tx, change: Change, conversation: string): Promise<void> {
  const waiting = [...change.messages.values()].filter(({ message }) => message.conversation_id === conversation && isWaiting(message))
  if (waiting.length === 0) return
  const gone = await tx<{ message_id: string }[]>`${withdrawn(change.caller.tenant, conversation)}`
  const ids = new Set(gone.map(each => each.message_id))
  for (const { message } of waiting) if (ids.has(message.id)) setMessage(change, moved(message, 'failed', TAKEN_OVER))
}
