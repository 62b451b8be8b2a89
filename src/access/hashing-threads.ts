// The threads in which Node hashes, which are those of its pool for all of the process's slow work.
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const THREADS = '/proc/self/task'
/** A tenth of the weight that other threads and processes have, where all want to run. */
const NICENESS = 10

/**
 * Lets requests and the database go before them: on a machine of two cores, two hashes at once would otherwise take a core from those who read. To be
 * called when the first hash is made, for the threads begin with it. Elsewhere than on Linux, all share as before.
 */
export function yieldToRequests(): void {
  try {
    for (const thread of readdirSync(THREADS))
      if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').startsWith('libuv-worker')) setPriority(Number(thread), NICENESS)
  } catch {
    // Another system, or a sandbox that forbids it.
  }
}
