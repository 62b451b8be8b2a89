// What a customer is shown of us besides messages: that the shop is typing, that messages were read. One request each; nothing hangs on its answer.
import { now } from '../../clock.ts'
import { SIGNAL_ANSWER_BYTES, SIGNAL_TIMEOUT_MS, TYPING_STALE_MS } from '../../limits/channels.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Queryable } from '../../postgres/sql.ts'
import type { Keyring } from '../../secrets.ts'
import { open } from '../accounts/credentials.ts'
import { SENDERS } from '../platforms/senders.ts'
import * as store from './signal-store.ts'

export { queue as queueSignal, type Signalled } from './signal-store.ts'

export interface SignalContext {
  sql: Queryable
  client: Pick<OutboundClient, 'post'>
  keyring: Keyring
}

/** Tells the platform, where it can show it; that the shop is typing only as long as that is so. */
export async function signal(
  { sql, client, keyring }: SignalContext,
  { channel, conversation, signal: what, at }: store.Signalled,
): Promise<void> {
  if (what === 'typing' && now() - Date.parse(at) > TYPING_STALE_MS) return
  const found = await store.find(sql, channel.tenant, channel.id, conversation)
  if (!found || found.credentials === null) return
  const { platform, settings, account_id, thread, last } = found
  const shown = settings.read_receipts !== false
  // WhatsApp's sign of typing marks the message as read too.
  if (!shown && (what === 'read' || platform === 'whatsapp')) return
  const account = { account_id, settings, credentials: open(keyring, channel.tenant, channel.id, found.credentials) }
  const request = SENDERS[platform]?.[what]?.(thread, last, account)
  if (!request) return
  await client.post({
    ...request,
    tenant: channel.tenant,
    timeoutMs: SIGNAL_TIMEOUT_MS,
    bodyExtraMs: 0,
    keepResponseBytes: SIGNAL_ANSWER_BYTES,
    repeatable: false,
  })
}
