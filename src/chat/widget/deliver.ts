// Sends what waits in the outbox, one message after the other, in the order written. Each is sent again until it is acknowledged: it has an id of its
// own, so it arrives once.
import { type Api, type Problem, pause } from './api.ts'
import type { Outbox, Waiting } from './outbox.ts'
import { pageAddress } from './page.ts'
import type { Waker } from './waker.ts'

export interface Sender {
  /** An address that the service has not been told. */
  untold(): string | undefined
  kept(waiting: Waiting): void
  /** The token is refused. Resolves when there is another. */
  refused(): Promise<unknown>
  gone(): void
}

export async function deliver(api: Api, outbox: Outbox, sender: Sender, waker: Waker, ended: AbortSignal): Promise<void> {
  for (let failures = 0; !ended.aborted; ) {
    const next = outbox.all().find(({ state }) => state === 'waiting')
    if (!next) {
      await waker.sleep()
      continue
    }
    const email = next.body.email ?? sender.untold()
    const { status, body, retryMs } = await api.post<Problem>('messages', { ...next.body, ...(email && { email }), page: pageAddress() })
    // Who is told of it now may be another visitor. It is sent once more, and is one all the same.
    if (ended.aborted) return
    failures = status >= 200 && status < 300 ? 0 : failures + 1
    if (failures === 0) {
      sender.kept({ ...next, body: { ...next.body, ...(email && { email }) } })
      continue
    }
    if (status === 404) return sender.gone()
    if (isFinal(status)) {
      console.error(`Shopdesk chat: ${body?.detail}`)
      outbox.set(next, 'refused')
      failures = 0
      continue
    }
    if (status === 401) await sender.refused()
    await waker.sleep(retryMs || pause(failures))
  }
}

// What is too early, too much or too busy is sent again; so is what got no answer.
const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
