// Requests to the service. Nothing is thrown: what could not be reached is an answer with status 0.

export interface Answer<T> {
  /** 0: no answer. */
  status: number
  body: T
  /** What the service asks to wait; 0 unless it does. */
  retryMs: number
}

export interface Problem {
  detail?: string
  code?: string
}

export interface Api {
  /** @param json is sent as JSON; a file as it is */
  post<T>(path: string, json: unknown, timeoutMs?: number): Promise<Answer<T>>
  get<T>(path: string): Promise<Answer<T>>
  /** The answer as it begins. @throws when there is none */
  stream(lastId: string | undefined, signal: AbortSignal): Promise<Response>
}

const TIMEOUT_MS = 20_000

/** @param token of the visitor, as it is at each request */
export function openApi(root: string, token: () => string | undefined): Api {
  const headers = (more: Record<string, string> = {}): Record<string, string> => {
    const known = token()
    return known ? { ...more, Authorization: `Bearer ${known}` } : more
  }
  async function ask<T>(path: string, init: RequestInit, timeoutMs = TIMEOUT_MS): Promise<Answer<T>> {
    try {
      const answer = await fetch(root + path, { ...init, ...PLAIN, signal: AbortSignal.timeout(timeoutMs) })
      const text = await answer.text()
      const retryMs = 1000 * (Number(answer.headers.get('Retry-After')) || 0)
      return { status: answer.status, body: text ? JSON.parse(text) : undefined, retryMs }
    } catch {
      return { status: 0, body: undefined as T, retryMs: 0 }
    }
  }
  return {
    post: (path, value, timeoutMs) =>
      value instanceof Blob
        ? ask(
            path,
            { method: 'POST', body: value, headers: headers({ 'Content-Type': value.type || 'application/octet-stream' }) },
            timeoutMs,
          )
        : ask(path, { method: 'POST', body: JSON.stringify(value), headers: headers({ 'Content-Type': 'application/json' }) }, timeoutMs),
    get: path => ask(path, { headers: headers() }),
    stream: (lastId, signal) =>
      fetch(`${root}live`, {
        ...PLAIN,
        signal,
        headers: headers({ Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) }),
      }),
  }
}

// The token says who it is: cookies have nothing to do with it, and answers are for this page alone.
const PLAIN = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' } as const

/** Milliseconds before the next attempt after so many that failed: 1, 2, 4 … 30 s, each up to a half longer, so that not all come back at once. */
export const pause = (failures: number): number => Math.min(30_000, 500 * 2 ** failures) * (1 + Math.random() / 2)
