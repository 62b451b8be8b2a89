// How a message gets on its way: conversations queue it in the transaction that writes it, under the conversation's lock, and its channel is woken when
// that is durable. Rows are the truth: a lost wake-up costs no more than the second until the sweep.
import type { Ref } from '../../ids.ts'
import type { Fragment, Tx } from '../../postgres/sql.ts'
import * as store from './queue-store.ts'
import { wakeAfter } from './wake.ts'

export type { NewSend } from './queue-store.ts'

/**
 * Queues messages of different conversations, as parts of a statement of the transaction. They are sent once that has committed, and never if it rolls back.
 * Also for a message that is sent again.
 */
export function queued(tx: Tx, sends: store.NewSend[]): Fragment[] {
  if (sends.length === 0) return []
  wakeAfter(
    tx,
    sends.map(({ tenant, channel_id }) => ({ tenant, id: channel_id })),
  )
  return [store.open(sends), store.add(sends)]
}

/** Takes back what of the assistant's words in a conversation waits: a statement of its own, which returns `message_id` and `in_doubt`. The conversation is locked. */
export const withdrawn = (tenant: string, conversation: string): Fragment => store.withdrawAssistant(tenant, conversation)

/** Takes back messages that are known to have arrived, though the platform said that it had not taken them. Their conversations are locked. */
export async function withdrawArrived(tx: Tx, channel: Ref, all: store.Arrived[]): Promise<void> {
  await tx`${store.withdrawArrived(channel.tenant, all)}`
  wakeAfter(tx, [channel])
}
