// Starts the receivers' process, and asks it for its requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** secure: over TLS, and a connection for each request, so that the name is needed each time. */
export type Behaviour =
  | 'prompt'
  | 'secure'
  | 'shaky'
  | 'healthy'
  | 'slow'
  | 'slower'
  | 'late'
  | 'error'
  | 'shared'
  | 'black hole'
  | 'reset'
  | 'drip'
  | 'flood'

/** One POST as its receiver saw it. Times are milliseconds since 1970. */
export interface Post {
  /** The receiver's number. */
  endpoint: number
  /** When its headers had arrived. */
  at: number
  /** When it was answered, or its connection ended. Undefined: it is under way still. */
  until?: number
  /** The status of the answer; undefined where there was none. */
  status?: number
  event: string
  /** The event's. */
  createdAt: number
  /** X-Service-Delivery-Id */
  delivery: string
  /** A hash of the body. */
  bytes: string
  verified: boolean
}

export type ToReceivers = { secrets: string[] } | { ask: 'posts' | 'count' }
export type FromReceivers = { ports: number[] } | { posts: Post[] } | { count: number }

export interface Receivers {
  /** In the order of the behaviours. */
  urls: string[]
  /** The secrets of all of them, in order; posts before that do not verify. */
  setSecrets(secrets: string[]): void
  posts(): Promise<Post[]>
  count(): Promise<number>
  close(): void
}

const PROCESS = fileURLToPath(new URL('receivers-process.ts', import.meta.url))

const open = new Set<() => void>()

/** For those of an experiment that failed: they would keep its process alive. */
export function closeReceivers(): void {
  for (const close of open) close()
}

/** @param keep false: posts are only counted */
export async function startReceivers(behaviours: Behaviour[], keep = true): Promise<Receivers> {
  const child = fork(PROCESS, [JSON.stringify([behaviours, keep])], { serialization: 'advanced' })
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error('the receivers ended')))
  const answer = async <T extends FromReceivers>(): Promise<T> => {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [T]
    return message
  }
  const tell = (message: ToReceivers) => void child.send(message)
  const close = (): void => {
    if (open.delete(close) && child.connected) child.disconnect()
  }
  open.add(close)
  const { ports } = await answer<{ ports: number[] }>()
  return {
    urls: ports.map(port => `http://127.0.0.1:${port}/`),
    setSecrets: secrets => tell({ secrets }),
    async posts() {
      tell({ ask: 'posts' })
      return (await answer<{ posts: Post[] }>()).posts
    },
    async count() {
      tell({ ask: 'count' })
      return (await answer<{ count: number }>()).count
    },
    close,
  }
}
