// How far a message of ours has come:
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
import type { ReceiptStatus, Update } from '../../../conversations/update.ts'
import { isId } from '../../../ids.ts'
import { failureOf } from '../graph/codes.ts'
import { entry, id, type Json, number, object, objects, ofSeconds, text } from '../value.ts'

/** `played` is told of voice messages that were read before. */
const STATUSES: Record<string, ReceiptStatus> = { sent: 'sent', delivered: 'delivered', read: 'read', played: 'read', failed: 'failed' }

export function readStatus(value: Json): Update[] {
  const said = text(value['status']) ?? 'no status'
  const status = entry(STATUSES, said)
  const thread = id(value['recipient_id']) ?? id(value['recipient_user_id'])
  const external_id = id(value['id'])
  if (!status) return [{ kind: 'ignored', reason: `${said.slice(0, 100)}: a status that is not used` }]
  if (!thread || !external_id) return [{ kind: 'ignored', reason: 'a status that names no recipient or no message' }]
  const at = ofSeconds(value['timestamp'])
  const ours = text(value['biz_opaque_callback_data'])
  const receipt: Update = { kind: 'receipt', thread, at, status, external_id, ...(ours && isId('msg', ours) && { our_id: ours }) }
  if (status !== 'failed') return [receipt]
  const [error = {}] = objects(value['errors'])
  const { code, isBlock } = failureOf(error)
  const failed: Update = { ...receipt, error: { code, message: wordsOf(error) } }
  return isBlock ? [failed, { kind: 'reachability', thread, at, reachable: false }] : [failed]
}

/** What WhatsApp says of an error, with its number. */
export function wordsOf(error: Json): string {
  const code = number(error['code'])
  const said = text(object(error['error_data'])?.['details']) ?? text(error['message']) ?? text(error['title'])
  return `${said?.slice(0, 500) ?? 'The platform gives no reason'}${code === undefined ? '' : ` (${code})`}`
}
