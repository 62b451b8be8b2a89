// Listens to what the shop says, for as long as the page lives: a stream that breaks, or is silent for too long, is opened again where it ended.
import type { ChatMessage } from '../schema.ts'
import { type Api, pause } from './api.ts'
import { readEvents } from './sse.ts'
import type { Waker } from './waker.ts'

export interface Ears {
  opened(): void
  lost(): void
  /** The service has no place for one more stream just now: what was said is read by asking. */
  crowded(): void
  message(message: ChatMessage): void
  typing(): void
  /** What was missed is too much for a stream: read the list anew. */
  reset(): void
  /** The token is refused. Resolves when there is another. */
  refused(): Promise<unknown>
  /** There is no such channel any more. */
  gone(): void
}

/** The service sends a comment every 15 s. */
const SILENCE_MS = 35_000

export async function listen(api: Api, ears: Ears, waker: Waker, ended: AbortSignal): Promise<void> {
  let lastId: string | undefined
  for (let failures = 0; !ended.aborted; failures++) {
    const { status, retryMs } = await once()
    if (ended.aborted) return
    if (status === 409) ears.crowded()
    else ears.lost()
    if (status === 404) return ears.gone()
    if (status === 401) await ears.refused()
    if (status === 200) failures = 0
    await waker.sleep(Math.max(retryMs, pause(failures)))
  }

  async function once(): Promise<{ status: number; retryMs: number }> {
    const stop = new AbortController()
    const end = (): void => stop.abort()
    let heardAt = Date.now()
    // A laptop that was closed for a minute has a connection that is dead, and does not know it.
    const watch = setInterval(() => Date.now() - heardAt > SILENCE_MS && end(), 5000)
    addEventListener('online', end)
    ended.addEventListener('abort', end)
    let status = 0
    let retryMs = 0
    try {
      const answer = await api.stream(lastId, stop.signal)
      status = answer.status
      retryMs = 1000 * (Number(answer.headers.get('Retry-After')) || 0)
      if (status !== 200 || !answer.body) return { status, retryMs }
      ears.opened()
      await readEvents(
        answer.body,
        () => {
          heardAt = Date.now()
        },
        ({ event, data, id }) => {
          lastId = id ?? lastId
          if (event === 'message' && data) ears.message(JSON.parse(data))
          if (event === 'typing') ears.typing()
          if (event === 'reset') ears.reset()
        },
      )
    } catch {
      // It broke, or was given up: the next one goes on.
    } finally {
      clearInterval(watch)
      removeEventListener('online', end)
      ended.removeEventListener('abort', end)
    }
    return { status, retryMs }
  }
}
