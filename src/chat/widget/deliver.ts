// Sends what waits in the outbox, one message after the other, in the order written. Each is sent again until it is acknowledged: it has an id of its
// own, so it arrives once. Then it tells what was seen, by the same rules: what the service does not know is mailed.
import { type Api, type Problem, pause } from './api.ts'
import type { Outbox, Waiting } from './outbox.ts'
import { pageAddress } from './page.ts'
import type { Waker } from './waker.ts'

export interface Sender {
  /** An address that the service has not been told. */
  untold(): string | undefined
  kept(waiting: Waiting): void
  /** The newest message that was seen, if the service does not know. */
  untoldSeen(): string | undefined
  toldSeen(message: string): void
  /** The token is refused. Resolves when there is another. */
  refused(): Promise<unknown>
  gone(): void
}

export async function deliver(api: Api, outbox: Outbox, sender: Sender, waker: Waker, ended: AbortSignal): Promise<void> {
  for (let failures = 0; !ended.aborted; ) {
    const next = outbox.all().find(({ state }) => state === 'waiting')
    const seen = next ? undefined : sender.untoldSeen()
    if (!next && !seen) {
      await waker.sleep()
      continue
    }
    const email = next && (next.body.email ?? sender.untold())
    const { status, body, retryMs } = next
      ? await api.post<Problem>('messages', { ...next.body, ...(email && { email }), page: pageAddress() })
      : await api.post<Problem>('seen', { message_id: seen })
    // Who is told of it now may be another visitor. It is sent once more, and is one all the same.
    if (ended.aborted) return
    const isTaken = status >= 200 && status < 300
    if (status === 404) return sender.gone()
    if (isTaken || isFinal(status)) {
      failures = 0
      if (!isTaken) console.error(`Shopdesk chat: ${body?.detail}`)
      if (seen) sender.toldSeen(seen)
      else if (next && isTaken) sender.kept({ ...next, body: { ...next.body, ...(email && { email }) } })
      else if (next) outbox.set(next, 'refused')
      continue
    }
    failures++
    if (status === 401) await sender.refused()
    await waker.sleep(retryMs || pause(failures))
  }
}

// What is too early, too much or too busy is sent again; so is what got no answer.
const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
