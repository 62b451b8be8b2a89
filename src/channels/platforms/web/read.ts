// What visitors of web chat did, read. Nothing comes in by the address of callbacks: whatever signature it has, it is refused.
import type { Person } from '../../../contacts/person.ts'
import type { Update } from '../../../conversations/update.ts'
import { check } from '../../../ingress/validate.ts'
import type { Platform } from '../platform.ts'
import { given } from '../value.ts'
import { WebUpdate } from './schema.ts'

export const web: Platform = {
  verify: () => false,
  read(body) {
    const [error] = check(WebUpdate, body)
    const update: Update = error ? { kind: 'ignored', reason: `${error.field} ${error.message}` } : updateOf(body as WebUpdate)
    return [{ account: null, update }]
  },
}

function updateOf(update: WebUpdate): Update {
  const { type, visitor: thread, at, until, text, attachments = [], choice_id, id = '' } = update
  if (type === 'seen') return { kind: 'receipt', thread, at, status: 'read', ...given({ until }) }
  const from = personOf(update)
  if (text === undefined && attachments.length === 0) return { kind: 'renamed', thread, at, from, before: [], to: thread }
  const media = attachments.map(({ id: uploaded }) => ({ type: 'file' as const, source: { uploaded, visitor: thread } }))
  return {
    kind: 'message',
    thread,
    at,
    from,
    external_id: externalId(thread, id),
    said: { text: text ?? null, media, ...given({ choice_id }) },
  }
}

function personOf({ visitor, identity, name, email, page }: WebUpdate): Person {
  const { name: signedName, ...proven } = identity ?? {}
  return {
    ids: [visitor],
    // An address names the visitor to staff, and is answered to, also where it is another contact's already and so fills no field.
    ...given({ name: signedName, page, handle: email }),
    ...(identity && { proven }),
    claimed: given({ name, email }),
  }
}

/** A message's id on the channel: that which the visitor's script gave it counts for this visitor alone. */
const externalId = (visitor: string, own: string): string => `${visitor}:${own}`

/** The script's own id. */
export const ownId = (external: string | null): string | null => external?.slice(external.indexOf(':') + 1) ?? null
