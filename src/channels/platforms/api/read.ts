// The generic format, read.
import type { Person } from '../../../contacts/person.ts'
import type { Media, Said, Update } from '../../../conversations/update.ts'
import { isId } from '../../../ids.ts'
import type { Reading } from '../platform.ts'
import { given } from '../value.ts'
import { errorsOf } from './check.ts'
import type { ApiUpdate, Type_ } from './schema.ts'

export function read(body: unknown): Reading[] {
  const [error] = errorsOf(body)
  if (error) return [{ account: null, update: { kind: 'ignored', reason: `${error.field} ${error.message}` } }]
  const update = body as ApiUpdate
  return [{ account: null, update: READ[update.type ?? 'message'](update) }]
}

const READ: Record<Type_, (update: ApiUpdate) => Update> = {
  message: update => ({ kind: 'message', ...told(update), from: personOf(update), external_id: update.id, said: saidOf(update) }),
  echo: update => ({ kind: 'echo', ...told(update), external_id: update.id, ...ours(update), said: saidOf(update) }),
  edit: update => ({ kind: 'edit', ...told(update), ...meant(update), text: update.text ?? null }),
  delete: update => ({ kind: 'deletion', ...told(update), ...meant(update) }),
  reaction: update => ({ kind: 'reaction', ...told(update), ...meant(update), emoji: update.emoji || null, by: 'customer' }),
  delivered: update => ({ kind: 'receipt', ...told(update), status: 'delivered', ...meant(update) }),
  read: update => ({ kind: 'receipt', ...told(update), status: 'read', ...meant(update) }),
  failed: update => ({ kind: 'receipt', ...told(update), status: 'failed', ...meant(update), error: errorOf(update) }),
}

const told = ({ from, timestamp }: ApiUpdate): { thread: string; at: string | null } => ({
  thread: from.id,
  at: timestamp === undefined ? null : new Date(timestamp).toISOString(),
})

const ours = ({ message_id: id }: ApiUpdate): { our_id?: string } => (id !== undefined && isId('msg', id) ? { our_id: id } : {})

/** The message that it is about, by its id there or by ours. */
const meant = ({ message_id: id = '' }: ApiUpdate): { external_id: string } | { our_id: string } =>
  isId('msg', id) ? { our_id: id } : { external_id: id }

function personOf({ from }: ApiUpdate): Person {
  const { id, name, handle, language, phone, email, external_id } = from
  const proven = given({ phone, email, external_id })
  return { ids: [id], ...given({ name, handle, language }), ...(Object.keys(proven).length > 0 && { proven }) }
}

function saidOf(update: ApiUpdate): Said {
  const { location } = update
  return {
    text: update.text ?? null,
    media: (update.attachments ?? []).map(mediaOf),
    ...(location && { location: { ...location, name: location.name ?? null, address: location.address ?? null } }),
    ...given({ choice_id: update.choice_id, in_reply_to: update.in_reply_to }),
  }
}

const mediaOf = ({ url, name, mime_type }: NonNullable<ApiUpdate['attachments']>[number]): Media => ({
  type: kindOf(mime_type ?? ''),
  source: { url },
  ...given({ name, mime_type }),
})

const kindOf = (mime: string): Media['type'] => (['image', 'video', 'audio'] as const).find(each => mime.startsWith(`${each}/`)) ?? 'file'

const errorOf = ({ error }: ApiUpdate): { code: string; message: string } => ({
  code: error?.code ?? 'rejected',
  message: error?.message ?? 'The messenger gives no reason',
})
