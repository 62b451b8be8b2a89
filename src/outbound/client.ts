// The only network client: one request, whose outcome is a value. It knows no redirects, proxies, compression or cookies.
import type { Client } from 'undici'
import { memoize } from '../memoize.ts'
import { checkUrl, type Policy } from './address.ts'
import { type Address, type ConnectorOptions, createConnector } from './connect.ts'
import { createConnections } from './connections.ts'
import { exchange, type Method, type Network } from './exchange.ts'
import { createNames } from './name-cache.ts'
import type { NameFilePaths } from './name-files.ts'
import { createLookup, type Lookup } from './name-lookup.ts'
import { createOriginLimit } from './origin-limit.ts'
import { createOutage, type Outage } from './outage.ts'
import type { NoAnswer, Outcome } from './outcome.ts'
import { awaitPlace, type Place, takePlace } from './place.ts'
import type { Destination, OutboundRequest, PostRequest } from './request.ts'
import { createStandstill, type Standstill, TICK_MS } from './standstill.ts'
import { createTroubles, type Tell, type Troubles } from './troubles.ts'

export interface OutboundClient {
  /** Never rejects. Any status is an answer, a redirect's included: redirects are not followed. */
  post(request: PostRequest): Promise<Outcome>
  /** As `post`, without a body. */
  get(request: OutboundRequest): Promise<Outcome>
  /** Where a URL leads. @returns undefined: no request may go there */
  originOf(url: string): string | undefined
  /** A place at an origin, for a request of the tenant. @returns undefined: there is no room now */
  place(origin: string, tenant: string): Place | undefined
  /** As `place`, when it is the tenant's turn. @param begin is not called any more once the client is stopped */
  awaitPlace(origin: string, tenant: string, begin: (place: Place) => void): void
  /** Begins nothing more: requests that wait for a slot, and later ones, end as 'aborted'. Requests under way go on. */
  stop(): void
  /** The present trouble on our own side, as a clause. */
  trouble(): string | undefined
  /** How many origins have a connection, and how many connections are open. */
  stats(): { origins: number; connections: number }
  /** Ends every connection. Requests without an answer yet end as 'aborted'. */
  close(): Promise<void>
}

export interface ClientOptions extends ConnectorOptions, NameFilePaths {
  /** All addresses of a name. Default: those that the system's files and name servers give. */
  lookup?: (hostname: string) => Promise<Address[]>
  /** How long an idle connection is kept. Default 4 s: receivers commonly close theirs after 5. */
  keepAliveMs?: number
  /** How many idle connections are kept for a next request. */
  connectionsKept?: number
  /** Called when trouble on our own side begins, and when it ends. */
  tell?: Tell
}

const REQUESTS_PER_ORIGIN = 64
/** Each takes some 10 KB of V8's heap, and many receivers get nothing within the time that theirs is kept. */
const CONNECTIONS_KEPT = 512
/** Room for some ten thousand URLs of usual length. */
const URLS_KNOWN_BYTES = 8 * 1024 * 1024
const RESPONSE_HEADER_BYTES = 16 * 1024
const KEEP_ALIVE_MS = 4_000

/** One per process: it holds the connections. */
export function createClient(policy: Policy, options: ClientOptions = {}): OutboundClient {
  const troubles = createTroubles(options.tell)
  const faults = { troubles, outage: createOutage(troubles), standstill: createStandstill() }
  const ticking = setInterval(faults.standstill.tick, TICK_MS).unref()
  const connector = createConnector(policy, troubles, options)
  const keepAliveMs = options.keepAliveMs ?? KEEP_ALIVE_MS
  const clientOptions: Client.Options = {
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_BYTES,
    // A receiver may ask for less than this, never for more.
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Each request keeps its own time limits (exchange.ts): undici's timers tick only twice a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const network: Network = {
    connector,
    originLimit: createOriginLimit(REQUESTS_PER_ORIGIN),
    connections: createConnections(clientOptions, connector.connectTo, options.connectionsKept ?? CONNECTIONS_KEPT),
    names: createNames(lookupOf(options, troubles)),
    open: new Set(),
    stopped: false,
  }
  const stop = () => {
    network.stopped = true
    for (const each of network.open) each.stop()
  }
  // Judging a URL takes a sixth of a request's time (measured: 6 of 37 µs), and the same URLs are posted to again and again.
  const destinationOf = memoize(URLS_KNOWN_BYTES, url => judge(url, policy), charsOf)
  return {
    post: request => send(network, faults, destinationOf(request.url), 'POST', request),
    get: request => send(network, faults, destinationOf(request.url), 'GET', request),
    originOf(url) {
      const to = destinationOf(url)
      return 'error' in to ? undefined : to.origin
    },
    place: (origin, tenant) => takePlace(network.originLimit, origin, tenant),
    awaitPlace: (origin, tenant, begin) =>
      awaitPlace(network.originLimit, origin, tenant, place => (network.stopped ? place.leave() : begin(place))),
    trouble: troubles.text,
    stats: () => ({ origins: network.connections.origins(), connections: connector.sockets.size }),
    stop,
    async close() {
      stop()
      clearInterval(ticking)
      for (const each of network.open) each.fail('aborted', 'The client was closed.')
      for (const socket of connector.sockets) socket.destroy()
    },
  }
}

/** By what a fault of our own is told from the receiver's. */
interface FaultContext {
  troubles: Troubles
  outage: Outage
  standstill: Standstill
}

/** A process that stood still for so long, a quarter of the usual time, has not given a receiver its time to answer. */
const STOOD_STILL_MS = 2_500
/** Failures that it may have brought about: time ran out, or the receiver has given up. */
const BY_STANDSTILL = new Set<NoAnswer['error']>(['timeout', 'connection-reset', 'tls', 'dns'])

function send(
  network: Network,
  { troubles, outage, standstill }: FaultContext,
  destination: Destination | Refusal,
  method: Method,
  request: OutboundRequest,
): Promise<Outcome> {
  if ('error' in destination) return notSent(destination)
  if (network.stopped) return notSent({ error: 'aborted', message: 'The client was stopped or closed.' })
  const refused = refusal(request)
  if (refused) return notSent(refused)
  const reachability = outage.enter(request.tenant)
  if (!reachability) return Promise.resolve(ownFault(troubles))
  const since = performance.now()
  return exchange(network, method, request, destination).then(outcome => {
    const { error } = outcome
    const isOurs = error !== undefined && BY_STANDSTILL.has(error) && standstill.since(since) >= STOOD_STILL_MS
    const judged: Outcome = isOurs ? { ...outcome, error: 'own-fault' } : outcome
    return outage.leave(reachability, destination.hostname, judged) ? ownFault(troubles, outcome) : outcome
  })
}

function ownFault(troubles: Troubles, outcome: Outcome = NEVER_BEGUN): NoAnswer {
  return {
    error: 'own-fault',
    message: `Not delivered: ${troubles.text() ?? 'the fault was on our own side, and is over'}.`,
    sent: outcome.error === undefined ? 'perhaps' : outcome.sent,
    timings: outcome.timings,
    againInMs: troubles.againInMs(),
  }
}

const NEVER_BEGUN: NoAnswer = { error: 'own-fault', message: '', sent: 'no', timings: { totalMs: 0 } }

function lookupOf({ lookup, ...paths }: ClientOptions, troubles: Troubles): Lookup {
  return lookup ? async hostname => ({ addresses: await lookup(hostname), ttlSeconds: 0 }) : createLookup(paths, troubles)
}

type Refusal = Pick<NoAnswer, 'error' | 'message'>

const notSent = async (refused: Refusal): Promise<Outcome> => ({ ...refused, sent: 'no', timings: { totalMs: 0 } })

function judge(text: string, policy: Policy): Destination | Refusal {
  const problem = checkUrl(text, policy)
  if (problem) return { error: problem.code === 'private_host' ? 'private-address' : 'invalid-url', message: problem.message }
  const { origin, hostname, pathname, search } = new URL(text)
  return { origin, hostname: hostname.replace(/^\[|\]$/g, ''), path: pathname + search }
}

const charsOf = (judged: Destination | Refusal): number => Object.values(judged).join('').length

function refusal({ headers, signal }: OutboundRequest): Refusal | undefined {
  // A Host header would also replace the name that the certificate is checked for.
  if (Object.keys(headers).some(name => name.toLowerCase() === 'host'))
    return { error: 'invalid-request', message: 'The Host header is taken from the URL and cannot be set.' }
  if (signal?.aborted) return { error: 'aborted', message: 'The request was aborted before it was sent.' }
  return undefined
}
