// How a message gets on its way: conversations queue it in the transaction that writes it, under the conversation's lock, and its channel is woken when
// that is durable. Rows are the truth: a lost wake-up costs no more than the second until the sweep.
import type { Fragment, Tx } from '../../postgres/sql.ts'
import * as store from './queue-store.ts'
import { wakeAfter } from './wake.ts'

export type { NewSend } from './queue-store.ts'

/**
 * Queues messages of different conversations, as parts of a statement of the transaction. They are sent once that has committed, and never if it rolls back.
 * Also for a message that is sent again: its earlier row is gone by then.
 */
export function queued(tx: Tx, sends: store.NewSend[]): Fragment[] {
  if (sends.length === 0) return []
  wakeAfter(
    tx,
    sends.map(({ tenant, channel_id }) => ({ tenant, id: channel_id })),
  )
  return [store.open(sends), store.add(sends)]
}

/** Takes back what the assistant said in a conversation and has not begun to go out: a part that returns `message_id`. The conversation is locked. */
export const withdrawn = (tenant: string, conversation: string): Fragment => store.withdrawAssistant(tenant, conversation)
