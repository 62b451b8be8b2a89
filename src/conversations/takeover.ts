// What a person's words do to the assistant's that wait to be sent: they are withdrawn.
import { withdrawn } from '../channels/sending/queue.ts'
import type { Tx } from '../postgres/sql.ts'
import { type Change, setMessage } from './change.ts'
import { moved, unconfirmed } from './message.ts'
import type { Failure, Message } from './schema.ts'

/** What the assistant said and a person cut short. It is nothing to be looked at, so it does not count as failed. */
export const TAKEN_OVER: Failure = { code: 'taken_over', message: 'A member of your staff took over before it was sent.' }

const isWaiting = ({ author, status }: Message): boolean => author.type === 'ai' && status === 'queued'

/**
 * Withdraws what of the assistant's words in a conversation waits to be sent; one that is under way goes on. One that was to be repeated, and that the receiver may
 * have, is in doubt, and counts. The change holds its unsettled messages.
 */
export async function withdraw(tx: Tx, change: Change, conversation: string): Promise<void> {
  const waiting = [...change.messages.values()].filter(({ message }) => message.conversation_id === conversation && isWaiting(message))
  if (waiting.length === 0) return
  const gone = await tx<{ message_id: string; in_doubt: boolean }[]>`${withdrawn(change.caller.tenant, conversation)}`
  const inDoubt = new Map(gone.map(each => [each.message_id, each.in_doubt]))
  for (const { message } of waiting) {
    const isInDoubt = inDoubt.get(message.id)
    if (isInDoubt === undefined) continue
    setMessage(change, isInDoubt ? moved(message, 'unknown', unconfirmed(TAKEN_OVER)) : moved(message, 'failed', TAKEN_OVER))
  }
}
