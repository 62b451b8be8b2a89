// Streams and uploads outlive the admission of their key: while they are under way the key is watched, and they end when it is revoked.
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'

/** Calls `end` when the caller's key was revoked, until what it returns is called. */
export type Watch = (caller: Caller, end: () => void) => () => void

/**
 * @param revoked finds the revoked ones of these keys, and returns their ids
 * @param everyMs how often all watched keys are looked up, together
 */
export function createRevocationWatch(revoked: (keys: Ref[]) => Promise<Set<string>>, everyMs: number): Watch {
  const watched = new Map<() => void, Ref>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const ids = await revoked([...new Map([...watched.values()].map(key => [key.id, key])).values()])
    for (const [end, { id }] of watched) if (ids.has(id)) end()
  }

  return ({ tenant, actor: { type, id } }, end) => {
    if (type !== 'api_key' || id === undefined) return () => {}
    watched.set(end, { tenant, id })
    // A look that fails while the database is away is made up for by the next one.
    timer ??= setInterval(() => void look().catch(() => {}), everyMs).unref()
    return () => {
      watched.delete(end)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
