// What a worker is told of a source: a channel's id alone would mean that it has something to send.
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'
import { tell } from '../queue/tell.ts'

const WORK = 'callbacks/'

const asTold = ({ tenant, id }: Ref): Ref => ({ tenant, id: WORK + id })

/** The source that a worker is told of; undefined: it is told of something else. */
export const sourceTold = ({ tenant, id }: Ref): Ref | undefined =>
  id.startsWith(WORK) ? { tenant, id: id.slice(WORK.length) } : undefined

/** Sources of one message, which may have 8 000 bytes. */
export const TOLD_TOGETHER = 100

/** @returns false: no worker lives */
export async function tellSources(sql: Queryable, sources: Ref[]): Promise<boolean> {
  for (let at = 0; at < sources.length; at += TOLD_TOGETHER)
    if (!(await tell(sql, sources.slice(at, at + TOLD_TOGETHER).map(asTold)))) return false
  return true
}
