// One stream of staff, and what it is sent.
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

/** Too much was missed: the reader of the stream reads the lists anew. */
export const RESET = Buffer.from(message({ event: 'reset', data: '{}' }))
