// Listens to what the shop says, for as long as the page lives: a stream that breaks, or is silent for too long, is opened again where it ended.
import type { ChatMessage } from '../schema.ts'
import { type Api, pause } from './api.ts'
import { readEvents } from './sse.ts'
import type { Waker } from './waker.ts'

export interface Ears {
  opened(): void
  lost(): void
  /** No stream comes through: what was said is read by asking. */
  ask(): Promise<void>
  message(message: ChatMessage): void
  typing(): void
  /** What was missed is too much for a stream: read the list anew. */
  reset(): void
  /** The token is refused. Resolves when there is another. */
  refused(): Promise<unknown>
  /** There is no such channel any more. */
  gone(): void
}

/** The service sends a comment every 15 s, and the first one at once. */
const SILENCE_MS = 35_000
const MUTE_MS = 10_000

/** After so many failures, 4 to 6 s, it is asked again where no stream comes through. */
const ASKED_AGAIN = 3

export async function listen(api: Api, ears: Ears, waker: Waker, ended: AbortSignal): Promise<void> {
  let lastId: string | undefined
  for (let failures = 0; !ended.aborted; failures++) {
    const { status, retryMs, isMute } = await once()
    if (ended.aborted) return
    // The service has no place for one more, or what lies between hands an answer on when it is whole, as proxies and scanners do: a stream never is.
    if (status === 409 || isMute) await ears.ask()
    else ears.lost()
    if (status === 404) return ears.gone()
    if (status === 401) await ears.refused()
    if (status === 200) failures = 0
    if (isMute) failures = Math.min(failures, ASKED_AGAIN)
    await waker.sleep(Math.max(retryMs, pause(failures)))
  }

  async function once(): Promise<{ status: number; retryMs: number; isMute: boolean }> {
    const stop = new AbortController()
    const end = (): void => stop.abort()
    let heardAt = Date.now()
    let isHeard = false
    let isMute = false
    // A laptop that was closed for a minute has a connection that is dead, and does not know it.
    const watch = setInterval(() => {
      if (Date.now() - heardAt <= (isHeard ? SILENCE_MS : MUTE_MS)) return
      isMute = !isHeard
      end()
    }, 5000)
    addEventListener('online', end)
    ended.addEventListener('abort', end)
    let status = 0
    let retryMs = 0
    try {
      const answer = await api.stream(lastId, stop.signal)
      status = answer.status
      retryMs = 1000 * (Number(answer.headers.get('Retry-After')) || 0)
      if (status !== 200 || !answer.body) return { status, retryMs, isMute }
      ears.opened()
      await readEvents(
        answer.body,
        () => {
          heardAt = Date.now()
          isHeard = true
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
    return { status, retryMs, isMute }
  }
}
