// Whose script runs next: few at once, for each may take a core and its memory, and of one workspace one at a time.
import { SANDBOX_AT_ONCE, SANDBOX_MS, SANDBOX_WAIT_MS, SANDBOX_WAITING, SANDBOX_WAITING_OF_TENANT } from '../../limits.ts'
import { Problem } from '../../problems.ts'

export interface Turns {
  /**
   * Resolves when the turn has come. @returns ends it
   * @throws {Problem} 429 while as many of the workspace wait as may; 503 while as many of all do, or where the turn did not come in time
   */
  enter(tenant: string): Promise<() => void>
}

interface Waiter {
  tenant: string
  begin(): void
}

export function createTurns(): Turns {
  const running = new Set<string>()
  let waiting: Waiter[] = []

  function letIn(): void {
    while (running.size < SANDBOX_AT_ONCE) {
      const next = waiting.find(({ tenant }) => !running.has(tenant))
      if (!next) return
      waiting = waiting.filter(each => each !== next)
      running.add(next.tenant)
      next.begin()
    }
  }

  function turn(tenant: string): Promise<void> {
    if (waiting.filter(each => each.tenant === tenant).length >= SANDBOX_WAITING_OF_TENANT) throw tooManyOfOne()
    const isBusy = running.size >= SANDBOX_AT_ONCE || running.has(tenant)
    if (isBusy && waiting.length >= SANDBOX_WAITING) throw tooMany()
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
      await turn(tenant)
      return () => {
        running.delete(tenant)
        letIn()
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
