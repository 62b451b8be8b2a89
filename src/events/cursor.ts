// Cursors of events. A place in the order of commits is made of numbers that count for the whole cluster: from two of them a tenant could read
// what all others did in between. So `last` holds it sealed, for its tenant alone.
import { now } from '../clock.ts'
import { isId, lowestId } from '../ids.ts'
import { decodeCursor, encodeCursor } from '../ingress/cursor.ts'
import type { Listing } from '../ingress/list.ts'
import { RETENTION_DAYS } from '../limits.ts'
import type { Queryable } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { type Keyring, seal, unseal } from '../secrets.ts'
import { type NamedPlace, type Place, placeOf } from './store.ts'

export const path = '/api/v1/events'
/** The only order there is, and the only direction. `last` is `<epoch>.<xid>.<seq>`, sealed. */
export const listing: Listing = { path, idPrefix: 'evt', sorts: { commit: 'text' }, offers: { offset: false } }

const PURPOSE = 'events cursor'
const binding = (tenant: string, id: string): string => `${tenant} ${id}`

export const cursorOf = (keyring: Keyring, tenant: string, { epoch, xid, seq, id }: NamedPlace): string =>
  encodeCursor({ sort: 'commit', dir: 'asc' }, { last: seal(keyring, `${epoch}.${xid}.${seq}`, PURPOSE, binding(tenant, id)), id })

/**
 * @param text a cursor, or the id of an event
 * @param field the parameter that has it
 * @throws {Problem} 422 for what names no place of this tenant
 */
export async function placeAfter(sql: Queryable, keyring: Keyring, tenant: string, text: string, field: string): Promise<NamedPlace> {
  if (isId('evt', text)) {
    const place = await placeOf(sql, tenant, text)
    if (place) return { ...place, id: text }
    throw invalid({
      field,
      code: 'unknown_event',
      message: 'names no event here: it may be past its retention. Start without it, and keep the resume_cursor, which stays good.',
    })
  }
  const { last, id } = decodeCursor(listing, text, field)
  const place = IN_THE_CLEAR.test(String(last))
    ? await placeInTheClear(sql, tenant, id)
    : await placeIn(sql, tenant, id, unseal(keyring, String(last), PURPOSE, binding(tenant, id)))
  if (!place) throw invalid({ field, code: 'invalid_cursor', message: 'is not a cursor of this list.' })
  return { ...place, id }
}

async function placeIn(sql: Queryable, tenant: string, id: string, text: string | undefined): Promise<Place | undefined> {
  const [, epoch, xid, seq] = /^(?:(\d{1,10})\.)?(\d{1,20})\.(\d{1,19})$/.exec(text ?? '') ?? []
  if (xid === undefined || seq === undefined) return undefined
  if (epoch !== undefined) return { epoch, xid, seq }
  // From before there were epochs. Its event knows, and where that is gone it is as old as an event may be.
  return (await placeOf(sql, tenant, id)) ?? { epoch: '0', xid, seq }
}

// Cursors from before places were sealed stay good, and of them the id alone counts: a caller could write any numbers, and find out by what
// follows them where an event of its own lies. What is kept is later than an event that is kept no more.
const IN_THE_CLEAR = /^\d{1,19}\.\d{1,18}$/
const BEFORE_ALL: Place = { epoch: '0', xid: '0', seq: '0' }

async function placeInTheClear(sql: Queryable, tenant: string, id: string): Promise<Place | undefined> {
  const isPruned = id < lowestId('evt', now() - RETENTION_DAYS * 24 * 60 * 60 * 1000)
  return (await placeOf(sql, tenant, id)) ?? (isPruned ? BEFORE_ALL : undefined)
}
