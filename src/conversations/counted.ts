// What conversations and messages count in the workspace's figures. Pure.
import type { Difference } from '../analytics/counting.ts'
import type { Held } from './conversation.ts'
import type { Message } from './schema.ts'

/** A conversation that begins. */
export const begunCounted = (tenant: string, { conversation }: Held): Difference => ({
  tenant,
  at: conversation.created_at,
  counts: { started: 1 },
})

/** By what the figures differ when a message is written, or changed from what it was before: words of the assistant that failed, or were withdrawn, are none. */
export const messageCounted = (tenant: string, message: Message, before?: Message): Difference => ({
  tenant,
  at: message.created_at,
  counts: {
    inbound: Number(isInbound(message)) - Number(before !== undefined && isInbound(before)),
    ai_replies: Number(isReply(message)) - Number(before !== undefined && isReply(before)),
  },
})

const isInbound = ({ direction }: Message): boolean => direction === 'inbound'
const isReply = ({ author, status }: Message): boolean => author.type === 'ai' && status !== 'failed'

/** Whether a person's message paused the assistant. */
export const tookOver = (before: Held | undefined, after: Held): boolean =>
  before?.conversation.ai_status === 'on' &&
  after.conversation.ai_status === 'paused' &&
  after.conversation.ai_paused_reason === 'human_reply'

export const takeoverCounted = (tenant: string, { created_at: at }: Message): Difference => ({ tenant, at, counts: { takeovers: 1 } })

/** A conversation that is as `after`, and was as `before`: whether the assistant has asked for a person. */
export function escalationCounted(tenant: string, before: Held | undefined, after: Held): Difference[] {
  const at = after.conversation.escalation?.requested_at
  if (at === undefined || at === before?.conversation.escalation?.requested_at) return []
  return [{ tenant, at, counts: { escalations: 1 } }]
}
