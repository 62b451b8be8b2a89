// A message as its platform gets it, from what the claim read.

import { now } from '../../clock.ts'
import type { Message } from '../../conversations/schema.ts'
import type { Outgoing } from '../platforms/sender.ts'
import type { Claimed } from './claim-store.ts'
import type { Slice } from './slice.ts'

const DAY_MS = 24 * 60 * 60_000

/** @returns undefined where its file is gone */
export async function outgoing({ context, channel, lease }: Slice, claimed: Claimed, message: Message): Promise<Outgoing | undefined> {
  const file = await fileOf(context.files, channel.tenant, message)
  if (file === undefined) return undefined
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    to: claimed.thread,
    name: claimed.contact_name,
    text: message.text,
    file,
    choices: message.choices ?? [],
    location: message.location,
    template: message.template,
    in_reply_to: claimed.quoted,
    late: lease.settings.human_agent === true && message.author.type === 'operator' && isLate(claimed),
    created_at: message.created_at,
  }
}

const isLate = ({ customer_at }: Claimed): boolean => customer_at !== null && now() > customer_at.getTime() + DAY_MS

async function fileOf(
  { open, link }: Slice['context']['files'],
  tenant: string,
  { attachments }: Message,
): Promise<Outgoing['file'] | undefined> {
  const [attachment] = attachments
  if (!attachment) return null
  const ref = { tenant, id: attachment.id }
  const file = await open(ref)
  const { type, name, mime_type } = attachment
  return file && { type, name, mime_type, size_bytes: file.length, url: link(ref), pieces: file.pieces }
}
