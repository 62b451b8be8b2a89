// What a worker is told of a source: a channel's id alone would mean that it has something to send.
import type { Ref } from '../ids.ts'

const WORK = 'callbacks/'

export const asTold = ({ tenant, id }: Ref): Ref => ({ tenant, id: WORK + id })

/** The source that a worker is told of; undefined: it is told of something else. */
export const sourceTold = ({ tenant, id }: Ref): Ref | undefined =>
  id.startsWith(WORK) ? { tenant, id: id.slice(WORK.length) } : undefined
