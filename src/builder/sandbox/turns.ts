// Whose script runs next: few at once, for each may take a core and its memory, and of one workspace one at a time.
import { SANDBOX_AT_ONCE, SANDBOX_MS, SANDBOX_WAIT_MS, SANDBOX_WAITING, SANDBOX_WAITING_OF_TENANT } from '../../limits/builder.ts'
import { Problem } from '../../problems.ts'

export interface Turn {
  /** The script has ended: the next of its workspace no longer counts as one more. */
  end(): void
  /** Nothing of it is left: its place is free. */
  leave(): void
}

export interface Turns {
  /**
   * Resolves when the turn has come.
   * @throws {Problem} 429 while as many of the workspace wait as may; 503 while as many of all do, or where the turn did not come in time
   */
  enter(tenant: string): Promise<Turn>
}

interface Waiter {
  tenant: string
  begin(): void
}

export function createTurns(): Turns {
  /** The workspaces whose scripts run. */
  const running = new Set<string>()
  /** Places of scripts that have ended, whose threads have not. */
  let leaving = 0
  let waiting: Waiter[] = []

  function letIn(): void {
    while (running.size + leaving < SANDBOX_AT_ONCE) {
      const next = waiting.find(({ tenant }) => !running.has(tenant))
      if (!next) return
      waiting = waiting.filter(each => each !== next)
      running.add(next.tenant)
      next.begin()
    }
  }

  function wait(tenant: string): Promise<void> {
    const mine = waiting.filter(each => each.tenant === tenant).length + (running.has(tenant) ? 1 : 0)
    if (mine > SANDBOX_WAITING_OF_TENANT) throw tooManyOfOne()
    if (waiting.length + running.size >= SANDBOX_AT_ONCE + SANDBOX_WAITING) throw tooMany()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        tenant,
        begin() {
          clearTimeout(late)
          resolve()
        },
      }
      const late = setTimeout(() => {
        waiting = waiting.filter(each => each !== waiter)
        reject(tooMany())
      }, SANDBOX_WAIT_MS)
      waiting.push(waiter)
      letIn()
    })
  }

  return {
    async enter(tenant) {
      await wait(tenant)
      return {
        end() {
          running.delete(tenant)
          leaving++
        },
        leave() {
          leaving--
          letIn()
        },
      }
    },
  }
}

/** One script's usual time. */
const RETRY_SECONDS = SANDBOX_MS / 1000

const tooManyOfOne = (): Problem =>
  new Problem(
    'rate-limit-exceeded',
    `A script of this workspace runs, and ${SANDBOX_WAITING_OF_TENANT} wait for it; wait until one has ended.`,
    { retry_after_sec: RETRY_SECONDS },
    { 'Retry-After': String(RETRY_SECONDS) },
  )

const tooMany = (): Problem =>
  new Problem('service-unavailable', 'Too many scripts are run just now; try again.', {}, { 'Retry-After': String(RETRY_SECONDS) })
