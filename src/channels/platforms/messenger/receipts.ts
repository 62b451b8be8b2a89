// Receipts of Messenger and Instagram: of single messages, or of all up to a time (a watermark).
import type { Update } from '../../../conversations/update.ts'
import { id, type Json, ofMilliseconds } from '../value.ts'
import type { Of } from './of.ts'

const NOTHING: Update = { kind: 'ignored', reason: 'a receipt that names no message and no time' }

export function readDelivery(value: Json, { thread, at }: Of): Update[] {
  const mids = Array.isArray(value['mids']) ? value['mids'].map(id).filter(each => each !== undefined) : []
  const each = mids.map((external_id): Update => ({ kind: 'receipt', thread, at, status: 'delivered', external_id }))
  const until = ofMilliseconds(value['watermark'])
  return orNothing([...each, ...(until ? [{ kind: 'receipt', thread, at, status: 'delivered', until } as const] : [])])
}

/** Messenger tells a time, Instagram a message. */
export function readRead(value: Json, { thread, at }: Of): Update[] {
  const external_id = id(value['mid'])
  if (external_id) return [{ kind: 'receipt', thread, at, status: 'read', external_id }]
  const until = ofMilliseconds(value['watermark'])
  return orNothing(until ? [{ kind: 'receipt', thread, at, status: 'read', until }] : [])
}

const orNothing = (updates: Update[]): Update[] => (updates.length > 0 ? updates : [NOTHING])
