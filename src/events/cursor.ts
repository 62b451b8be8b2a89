// Cursors of events. A position in the order of commits consists of numbers that count for the whole cluster: from two of them a tenant could tell
// how much all others did in between. So `last` holds it sealed, for its tenant alone.
import { now } from '../clock.ts'
import { isId, lowestId } from '../ids.ts'
import { decodeCursor, encodeCursor } from '../ingress/cursor.ts'
import type { Listing } from '../ingress/list.ts'
import { RETENTION_DAYS } from '../limits/retention.ts'
import type { Queryable } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { type Keyring, seal, unseal } from '../secrets.ts'
import { type EventPosition, type Position, positionOf } from './store.ts'

export const path = '/api/v1/events'
/** There is one order and one direction. `last` is `<epoch>.<xid>.<seq>`, sealed. */
export const listing: Listing = { path, idPrefix: 'evt', sorts: { commit: 'text' }, offers: { offset: false } }

const PURPOSE = 'events cursor'
const binding = (tenant: string, id: string): string => `${tenant} ${id}`

export const cursorOf = (keyring: Keyring, tenant: string, { epoch, xid, seq, id }: EventPosition): string =>
  encodeCursor({ sort: 'commit', dir: 'asc' }, { last: seal(keyring, `${epoch}.${xid}.${seq}`, PURPOSE, binding(tenant, id)), id })

/**
 * @param text a cursor, or the id of an event
 * @param field the parameter with the text
 * @throws {Problem} 422 for a text that names no position of this tenant
 */
export async function positionAfter(sql: Queryable, keyring: Keyring, tenant: string, text: string, field: string): Promise<EventPosition> {
  if (isId('evt', text)) {
    const position = await positionOf(sql, tenant, text)
    if (position) return { ...position, id: text }
    throw invalid({
      field,
      code: 'unknown_event',
      message: 'names no event here: it may be past its retention. Start without it, and keep the resume_cursor, which stays good.',
    })
  }
  const { last, id } = decodeCursor(listing, text, field)
  const position = PLAIN.test(String(last))
    ? await plainPosition(sql, tenant, id)
    : await sealedPosition(sql, tenant, id, unseal(keyring, String(last), PURPOSE, binding(tenant, id)))
  if (!position) throw invalid({ field, code: 'invalid_cursor', message: 'is not a cursor of this list.' })
  return { ...position, id }
}

async function sealedPosition(sql: Queryable, tenant: string, id: string, text: string | undefined): Promise<Position | undefined> {
  const [, epoch, xid, seq] = /^(?:(\d{1,10})\.)?(\d{1,20})\.(\d{1,19})$/.exec(text ?? '') ?? []
  if (xid === undefined || seq === undefined) return undefined
  if (epoch !== undefined) return { epoch, xid, seq }
  // A cursor from before there were epochs. Its event has the epoch; without the event, the position is as old as an event may be.
  return (await positionOf(sql, tenant, id)) ?? { epoch: '0', xid, seq }
}

// Cursors from before positions were sealed stay good, but only their id counts: a caller could write any numbers, and learn from the events that
// follow where its own events lie. Every stored event is later than one that was pruned.
const PLAIN = /^\d{1,19}\.\d{1,18}$/
const BEFORE_ALL: Position = { epoch: '0', xid: '0', seq: '0' }

async function plainPosition(sql: Queryable, tenant: string, id: string): Promise<Position | undefined> {
  const wasPruned = id < lowestId('evt', now() - RETENTION_DAYS * 24 * 60 * 60 * 1000)
  return (await positionOf(sql, tenant, id)) ?? (wasPruned ? BEFORE_ALL : undefined)
}
