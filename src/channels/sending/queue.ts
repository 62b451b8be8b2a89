// How a message gets on its way: conversations queue it in the transaction that writes it, under the conversation's lock, and its channel is woken when
// that is durable. Rows are the truth: a lost wake-up costs no more than the second until the sweep.
import type { Fragment, Tx } from '../../postgres/sql.ts'
import * as store from './queue-store.ts'
import { wakeAfter } from './wake.ts'

/**
 * Queues a message, as parts of a statement of the transaction. The message is sent once that has committed, and never if it rolls back.
 * Also for a message that is sent again: its earlier row is gone by then.
 */
export function queued(tx: Tx, tenant: string, send: store.NewSend): Fragment[] {
  wakeAfter(tx, [{ tenant, id: send.channel_id }])
  return [store.open(tenant, send), store.add(tenant, send)]
}

/** Takes back what the assistant said in a conversation and has not begun to go out: a part that returns `message_id`. The conversation is locked. */
export const withdrawn = (tenant: string, conversation: string): Fragment => store.withdrawAssistant(tenant, conversation)
