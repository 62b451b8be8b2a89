// A visitor begins, or comes back: a token is made, and nothing is stored.

import type { Site } from '../channels/accounts/site.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import type { GuestInput } from '../ingress/guest.ts'
import { CHAT_FILE_BYTES } from '../limits/chat.ts'
import { addressed } from './address.ts'
import type { ChatContext } from './context.ts'
import { FILE_TYPES } from './file-types.ts'
import { hoursAt } from './hours.ts'
import { identityOf, isSame } from './identity.ts'
import { resumed } from './links.ts'
import type { NewVisitor, Session } from './schema.ts'
import { type Guest, guestOf, tokenOf } from './token.ts'

/** @throws {Problem} 422 for an identity that is forged or has expired, or a link that was used */
export async function begin(context: ChatContext, input: GuestInput<Site, NewVisitor>): Promise<Session> {
  const { at: site } = input
  const { title = null, greeting = null, color = null, away_text = null, hours, time_zone } = site.settings
  const guest = await guestFor(context, input)
  const known = guest.isNew ? undefined : await addressed(context.sql, site.tenant, site.id, guest.visitor)
  return {
    object: 'visitor',
    id: guest.visitor,
    visitor_token: tokenOf(context.keyring, site.id, guest),
    title,
    greeting,
    color,
    away_text,
    ...hoursAt(hours, time_zone, now()),
    now: new Date(now()).toISOString(),
    has_email: guest.identity?.email !== undefined || known?.address != null,
    files: { max_bytes: CHAT_FILE_BYTES, mime_types: FILE_TYPES },
  }
}

async function guestFor(
  context: ChatContext,
  { at: site, body, token }: GuestInput<Site, NewVisitor>,
): Promise<Guest & { isNew: boolean }> {
  const identity = body.identity === undefined ? undefined : identityOf(body.identity, site.secrets)
  const before = token === undefined ? undefined : guestOf(context.keyring, site.id, token)
  const by = typeof before === 'object' ? before.visitor : undefined
  const known = body.resume === undefined ? before : { visitor: await resumed(context, site, body.resume, by) }
  // A visitor who had a signed identity and has none now has signed out, perhaps for another person to sit down there.
  if (typeof known !== 'object' || (known.identity && !(identity && isSame(known.identity, identity))))
    return { visitor: newId('vis'), isNew: true, ...(identity && { identity }) }
  return { visitor: known.visitor, isNew: false, ...(identity && { identity }) }
}
