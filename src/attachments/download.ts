// One attempt to fetch a received file. What cannot be had is a value; a database that is away is an exception.
import { FETCH_IDLE_MS, FETCH_TOTAL_MS } from '../limits/attachments.ts'
import type { OutboundClient } from '../outbound/client.ts'
import type { Outcome } from '../outbound/outcome.ts'
import { tooLarge } from './attachments.ts'
import type { Located } from './origin.ts'
import type { Failure } from './schema.ts'
import type { Writer } from './writer.ts'

/** How it ended. `failed`: for good. `again`: it may be there later. `interrupted`: through no fault of the file, so at once. */
export type End = { done: true } | { failed: Failure } | { again: Failure } | { interrupted: true; againInMs?: number }

export interface Download {
  client: OutboundClient
  tenant: string
  writer: Writer
  maxBytes: number
  signal: AbortSignal
}

/** Redirects followed: a platform's address leads to its files by one or two. */
const REDIRECTS_MAX = 3
/** How much is kept of an answer that is no file: it goes no further than the log. */
const REFUSAL_BYTES = 1024

/** Never rejects but with what the writer throws. */
export async function download(work: Download, located: Located): Promise<End> {
  if (located.size !== undefined && located.size > work.maxBytes) return { failed: tooLarge(work.maxBytes) }
  let url = located.url
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const outcome = await request(work, url, located)
    const next = outcome.error === undefined ? redirect(outcome, url) : undefined
    if (!next) return ended(work, outcome, located.size)
    url = next
  }
  return { again: unavailable('it is redirected again and again') }
}

function request({ client, tenant, writer, maxBytes, signal }: Download, url: string, { headers, trusts }: Located): Promise<Outcome> {
  const address = URL.parse(url)
  return client.get({
    url,
    tenant,
    // A redirect must not carry our credential to a host that the platform does not own.
    headers: { Accept: '*/*', ...(address && trusts(address) && headers) },
    timeoutMs: FETCH_IDLE_MS,
    bodyExtraMs: FETCH_IDLE_MS,
    totalMs: FETCH_TOTAL_MS,
    keepResponseBytes: REFUSAL_BYTES,
    taker: { take: piece => writer.add(piece), maxBytes, idleMs: FETCH_IDLE_MS },
    signal,
  })
}

function redirect({ status, headers }: Extract<Outcome, { status: number }>, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = [headers['location']].flat()[0]
  return location === undefined ? undefined : URL.parse(location, from)?.href
}

function ended({ writer, maxBytes }: Download, outcome: Outcome, announced = 0): End {
  if (outcome.cause !== undefined) throw outcome.cause
  if (outcome.error === 'aborted') return { interrupted: true }
  if (outcome.error === 'own-fault')
    return outcome.againInMs === undefined ? { interrupted: true } : { interrupted: true, againInMs: outcome.againInMs }
  if (outcome.error !== undefined) {
    const why = REFUSED[outcome.error]
    return why === undefined
      ? { again: unavailable(outcome.message) }
      : { failed: { code: 'address_refused', message: `The file lies at an address that may not be called: ${why}` } }
  }
  if (outcome.status < 200 || outcome.status > 299) return { again: unavailable(`its host answered ${outcome.status}`) }
  if (outcome.truncated === 'size') return { failed: tooLarge(maxBytes) }
  if (outcome.truncated === 'aborted') return { interrupted: true }
  if (outcome.truncated || writer.size() < announced || writer.size() === 0) return { again: unavailable('it ended before it was whole') }
  return { done: true }
}

/** In words of their own: those of the client advise people who give us an address of theirs. */
const REFUSED: Partial<Record<string, string>> = {
  'private-address': 'it leads to no host of the internet.',
  'invalid-url':
    'it is none of https, it is longer than 2,048 characters, or it has a port of another protocol, a user name or a fragment.',
  'invalid-request': 'no request can be made of it.',
}

const unavailable = (why: string): Failure => ({ code: 'unavailable', message: `The file could not be fetched: ${why}` })
