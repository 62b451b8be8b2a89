// What outlives the admission of its key, streams and uploads, is looked after while it is under way, and ended when its key was revoked.
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'

export type Watch = (caller: Caller, end: () => void) => () => void

/**
 * @param revoked the ids of those that do not count any more
 * @param everyMs one question for all that is under way
 */
export function createWatch(revoked: (keys: Ref[]) => Promise<Set<string>>, everyMs: number): Watch {
  const watched = new Map<() => void, Ref>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const gone = await revoked([...new Map([...watched.values()].map(key => [key.id, key])).values()])
    for (const [end, { id }] of watched) if (gone.has(id)) end()
  }

  return ({ tenant, actor: { type, id } }, end) => {
    if (type !== 'api_key' || id === undefined) return () => {}
    watched.set(end, { tenant, id })
    // While the database is away nothing is known; it is looked again.
    timer ??= setInterval(() => void look().catch(() => {}), everyMs).unref()
    return () => {
      watched.delete(end)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
