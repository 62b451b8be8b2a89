// When each key and each session was last used. Uses are gathered in memory and written once a minute, so that no request pays for them; a crash forgets one minute.
import type { Ref } from '../ids.ts'
import { LAST_USE_MS, LAST_USES_AT_ONCE } from '../limits/access.ts'
import type { Use } from '../postgres/last-use.ts'

export interface LastUses {
  note(key: Ref): void
  /** Writes what was noted, and waits for what is being written. */
  stop(): Promise<void>
}

/** @param record writes some of them @param failed told of an error: what was noted is then lost, and the next use is recorded again */
export function createLastUses(record: (uses: Use[]) => Promise<void>, failed: (error: unknown) => void): LastUses {
  // By id, the time of performance.now().
  let noted = new Map<string, { tenant: string; at: number }>()
  let writing = Promise.resolve()
  const timer = setInterval(() => void write(), LAST_USE_MS).unref()

  // One after another: a stop must not close connections on which an earlier one still writes.
  const write = (): Promise<void> => {
    writing = writing.then(writeNoted)
    return writing
  }

  async function writeNoted(): Promise<void> {
    const now = performance.now()
    const uses = Array.from(noted, ([id, { tenant, at }]) => ({ tenant, id, ago_ms: Math.round(now - at) }))
    noted = new Map()
    try {
      for (let from = 0; from < uses.length; from += LAST_USES_AT_ONCE) await record(uses.slice(from, from + LAST_USES_AT_ONCE))
    } catch (error) {
      failed(error)
    }
  }

  return {
    note({ tenant, id }) {
      const before = noted.get(id)
      if (before) before.at = performance.now()
      else noted.set(id, { tenant, at: performance.now() })
    },
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
