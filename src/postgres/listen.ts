// LISTEN, on a connection of its own: each listening connection is woken by every NOTIFY, so a process has one.
import { connect } from './connect.ts'

export interface Listening {
  close(): Promise<void>
}

/**
 * Listens until it is closed, and again after each loss of the connection; what was said meanwhile is lost.
 * @param heard gets each message
 * @param listens called whenever listening begins, for what was missed
 */
export function listen(url: string, channel: string, heard: (message: string) => void, listens: () => void): Listening {
  const sql = connect(url, { name: 'shopdesk listening', max: 1, backoff: () => 0.2 })
  let closed = false
  async function begin(): Promise<void> {
    while (!closed) {
      try {
        await sql.listen(channel, heard, listens)
        return
      } catch {
        // The database is away: tried again, as often as the driver connects.
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS).unref())
      }
    }
  }
  const begun = begin()
  return {
    async close() {
      closed = true
      await Promise.race([begun, Promise.resolve()])
      await sql.end({ timeout: 2 })
    },
  }
}

const AGAIN_MS = 1_000
