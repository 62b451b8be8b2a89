// One stream of staff, and what it is sent.
import { now } from '../clock.ts'
import { type LiveStream, message } from '../ingress/live.ts'
import type { Seen } from './changes.ts'

/** A stream in a room. */
export interface Member {
  tenant: string
  stream: LiveStream
  /** The only conversation it is about. */
  conversation: string | undefined
  /** Changes that wait, by what they are of, while the member is sent what it has missed. */
  waiting: Map<string, Seen> | undefined
}

export interface Frame {
  change: Seen
  /** Undefined: it is gone. */
  event: Buffer | undefined
}

export const wants = ({ conversation }: Member, changed: string): boolean => conversation === undefined || conversation === changed

export function give({ stream, waiting }: Member, { change, event }: Frame): void {
  if (!waiting) {
    if (event) stream.send(event)
    return
  }
  // It is read anew then: its text is not kept.
  const { rendered: _, ...missed } = change
  waiting.set(`${change.conversation} ${change.message ?? ''}`, missed)
}

/**
 * The first of a stream: its headers go out with it. One that does not go on has an id with it, or its reader would have none to come back with until
 * something changes, and what changes while it is away would not be told.
 */
export const opening = (goesOn: boolean): string => `${goesOn ? '' : `id: ${now()}\n`}: open\n\n`

/** Too much was missed: the reader of the stream reads the lists anew, and goes on from here. */
export const reset = (): string => message({ event: 'reset', data: '{}', id: String(now()) })
