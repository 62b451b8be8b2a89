// The outcome of a request, as a value: an answer of any status, or the reason why there is none.
import { ConnectError, type ConnectFailure, type ConnectTimings } from './connect.ts'
import { FloodError } from './meter.ts'
import { OwnError } from './request.ts'

export type Failure = ConnectFailure | 'protocol' | 'flood' | 'aborted' | 'invalid-request'

/** Milliseconds. A reused connection has no dnsMs, connectMs and tlsMs; firstByteMs is the receiver's own time, from request to answer. */
export interface Timings extends ConnectTimings {
  firstByteMs?: number
  totalMs: number
}

export interface Answer {
  error?: never
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** At most keepResponseBytes, not decompressed; invalid UTF-8 is replaced. Empty where a taker took it. */
  body: string
  /** Why the body is not complete: 'size' (there was more than is kept or taken), or the failure that ended it. */
  truncated: false | 'size' | Failure
  timings: Timings
  /** What the request's own `take` threw, which ended it as 'aborted'. */
  cause?: unknown
}

export interface NoAnswer {
  error: Failure
  /** One sentence for the log that the URL's owner reads. It never quotes the URL's path, which may hold a credential. */
  message: string
  /** Whether the receiver can have taken the request: 'no', for its first byte never went out, or 'perhaps'. */
  sent: 'no' | 'perhaps'
  timings: Timings
  /** When to try again after a fault of our own. Milliseconds. */
  againInMs?: number
  /** What the request's own `pieces` threw, which ended it as 'aborted'. */
  cause?: unknown
}

export type Outcome = Answer | NoAnswer

/** Sorts the errors of undici, Node and this client into kinds that a reader of the log can act on. */
export function failureOf(error: Error): Failure {
  if (error instanceof ConnectError) return error.failure
  if (error instanceof FloodError) return 'flood'
  if (error instanceof OwnError) return 'aborted'
  const code = 'code' in error ? String(error.code) : ''
  // undici reports an answer that makes no sense (an upgrade, an unrequested 100) as a socket error.
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ') ? 'protocol' : 'connection-reset'
  return FAILURES[code] ?? (/SSL|TLS/.test(code) ? 'tls' : 'protocol')
}

/**
 * An error's message for the receiver's owner: without Node's advice to its operator, only the reason of an OpenSSL error, which begins with an address in
 * this process's memory, and in words for what undici tells to its own authors.
 */
export const messageOf = ({ message }: Error): string =>
  WORDS.find(([of]) => of.test(message))?.[1] ??
  message
    .replace(/; if the root CA is installed locally.*/s, '')
    .replace(/^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/s, 'The TLS connection failed: $1.')

const WORDS: [RegExp, string][] = [
  [/^other side closed$/, 'The connection was closed before an answer came.'],
  [/^(read|write) (ECONNRESET|EPIPE)$/, 'The connection was reset before an answer came.'],
  [/assert\(statusCode >= 100\)/, 'The status of the answer is below 100, which HTTP does not know.'],
  [/^bad upgrade$/, 'The answer changes to another protocol (101), which was not asked for.'],
  [/^bad response$/, 'The answer says to go on with the request (100), which was not asked for.'],
]

const FAILURES: Record<string, Failure> = {
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_INVALID_ARG: 'invalid-request',
  UND_ERR_NOT_SUPPORTED: 'invalid-request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'invalid-request',
}
