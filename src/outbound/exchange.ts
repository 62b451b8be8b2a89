// One request under way, from its slot at the origin to its outcome. Its time starts with its own work: waiting for a slot or for a look-up is not the
// receiver's fault. It is a class, and undici's handler: objects and closures for each request are the largest cost of a delivery.
import type { Dispatcher } from 'undici'
import { type Address, ConnectError, type Connector } from './connect.ts'
import type { Connection, Connections } from './connections.ts'
import type { Names, Seeker } from './name-cache.ts'
import type { OriginLimit } from './origin-limit.ts'
import { type Failure, failureOf, messageOf, type NoAnswer, type Outcome, type Timings } from './outcome.ts'
import { type AnyRequest, answerBytes, type Ended, Receiving } from './receiving.ts'
import { type Destination, type OutboundRequest, OwnError, payload, streamed } from './request.ts'

export interface Network {
  connector: Connector
  originLimit: OriginLimit
  connections: Connections
  names: Names
  /** Requests without an outcome yet. */
  open: Set<Exchange>
  /** True: no request begins any more. */
  stopped: boolean
}

/**
 * A request that must not be repeated takes a connection that has been idle for no longer. A receiver that closes an idle connection does so after
 * seconds, hardly ever after less than two: nearer to that time a request may meet the end of its connection, and it stays unknown whether it was taken.
 */
const FRESH_MS = 1_000

export type Method = 'GET' | 'POST'

/** Makes the request. Never rejects. */
export function exchange(network: Network, method: Method, request: AnyRequest, destination: Destination): Promise<Outcome> {
  return new Promise(resolve => {
    const exchange = new Exchange(network, method, request, destination, resolve)
    request.signal?.addEventListener('abort', exchange)
    network.open.add(exchange)
    if (hasPlace(request, destination)) exchange.begin()
    else network.originLimit.enter(destination.origin, exchange)
  })
}

export class Exchange extends Receiving implements Dispatcher.DispatchHandler, Seeker {
  readonly tenant: string
  readonly #network: Network
  readonly #method: Method
  readonly #to: Destination
  readonly #resolve: (outcome: Outcome) => void
  readonly #timings: Timings = { totalMs: 0 }
  /** By performance.now(). */
  #startedAt = performance.now()
  #soughtAt = 0
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined = undefined
  /** Ends the exchange however it goes on. */
  #total: NodeJS.Timeout | undefined = undefined
  /** True once the headers came in time: the timer then limits the body. */
  #bodyTime = false
  #connection: Connection | undefined = undefined
  /** False while the request waits for its connection, or for the first piece of its body: the receiver has seen nothing of it. */
  #sent = false
  /** Its connection has served another request before. */
  #reused = false
  /** The first byte of an answer has come. */
  #answering = false
  /** The answer is complete, so its connection can be used again. */
  #whole = false
  /** Why the body of the request could not be read. */
  #cause: unknown = undefined

  constructor(network: Network, method: Method, request: AnyRequest, to: Destination, resolve: (outcome: Outcome) => void) {
    super(request)
    this.tenant = request.tenant
    this.#network = network
    this.#method = method
    this.#to = to
    this.#resolve = resolve
  }

  /** The request has its slot at the origin. */
  begin(): void {
    if (this.settled || this.#isTooLate()) return
    const idle = this.#network.connections.take(this.#to.origin, this.request.repeatable === false ? FRESH_MS : undefined)
    if (idle) this.#send(idle)
    else this.#connect()
  }

  seeking(): void {
    this.#startClock()
    this.#soughtAt = performance.now()
  }

  found(addresses: Address[]): void {
    if (this.settled || this.#isTooLate()) return
    this.#nameEnds()
    this.#send(this.#network.connections.open(this.#to.origin, addresses))
  }

  notFound(error: ConnectError): void {
    this.#startClock()
    this.#nameEnds()
    this.fail(error.failure, error.message)
  }

  /** The caller aborts the request. */
  handleEvent(): void {
    this.fail('aborted', 'The request was aborted.')
  }

  /** The process stops: a request that is being sent goes on, one that waits is not begun. */
  stop(): void {
    if (!this.#connection) this.fail('aborted', 'The process is stopping and begins no more requests.')
  }

  /** Ends the request. A status that is known is the outcome, however the body ends. */
  fail(error: Failure, message: string): void {
    this.settle(this.status ? this.answer(error) : this.#noAnswer(error, message))
  }

  late(): void {
    const { timeoutMs, bodyExtraMs } = this.request
    if (this.status && !this.#bodyTime) {
      this.#bodyTime = true
      this.#timer = setTimeout(onTimeout, bodyExtraMs, this)
      return
    }
    this.fail('timeout', `No ${this.#sent ? 'response' : 'connection'} within ${timeoutMs} ms.`)
  }

  tooLong(): void {
    this.fail('timeout', `The exchange was not over within ${this.request.totalMs} ms.`)
  }

  /** See Host in intake.ts. */
  rest(ms: number | undefined): void {
    if (this.settled) return
    clearTimeout(this.#timer)
    this.#bodyTime = true
    if (ms !== undefined) this.#timer = setTimeout(onTimeout, ms, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const made = this.#network.connector.handedOver()
    // The request was given up while its connection was made; or that took long, and another process may have to send it: this one may have stood still.
    if (this.settled || (made && this.#isTooLate())) return void controller.abort(new Error('The outcome is known.'))
    this.#sent = isWhole(this.request.body)
    this.#reused = !made
    this.#sentAt = performance.now()
    const connection = this.#connection as Connection
    if (made) {
      Object.assign(this.#timings, made.timings)
      connection.meter = made.meter
    }
    connection.meter?.allow(answerBytes(this.request))
  }

  /** A piece of a streamed body, or its end, goes out. */
  going(): void {
    this.#sent = true
    if (!this.settled && !this.status) this.#timer?.refresh()
  }

  onResponseStarted(): void {
    this.#answering = true
    this.#timings.firstByteMs ??= performance.now() - this.#sentAt
  }

  onResponseEnd(): void {
    this.#whole = true
    this.settle(this.answer(false))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled) return
    const failure = failureOf(error)
    if (error instanceof OwnError) this.#cause = error.cause
    // The receiver closed an idle connection just as it was used again, which is no failure of the receiver. Whether it took the request cannot be
    // known. Deliveries are at least once, so the request is made again, once, on a new connection; a message to a customer is not.
    if (failure === 'connection-reset' && this.#reused && !this.#answering && this.request.repeatable !== false) {
      const { connections } = this.#network
      this.#reused = false
      connections.drop(this.#connection as Connection)
      this.#connection = undefined
      return void this.#connect()
    }
    if (error instanceof ConnectError) Object.assign(this.#timings, error.timings)
    this.fail(failure, messageOf(error))
  }

  // After a long wait another process may have to send it.
  #isTooLate(): boolean {
    if (this.request.mayBegin?.() ?? true) return false
    this.fail('aborted', 'The request waited for so long that it may no longer begin.')
    return true
  }

  #connect(): void {
    this.#network.names.find(this.#to.hostname, this)
  }

  #nameEnds(): void {
    if (this.#soughtAt > 0) this.#timings.dnsMs = performance.now() - this.#soughtAt
    this.#soughtAt = 0
  }

  #startClock(): void {
    if (this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(onTimeout, this.request.timeoutMs, this)
    if (this.request.totalMs !== undefined) this.#total = setTimeout(onTotal, this.request.totalMs, this)
  }

  #send(connection: Connection): void {
    this.#startClock()
    this.#connection = connection
    const { headers, body = '' } = this.request
    const sent = isWhole(body) ? payload(headers, body) : streamed(headers, body, () => this.going())
    connection.client.dispatch({ path: this.#to.path, method: this.#method, ...sent }, this)
  }

  #noAnswer(error: Failure, message: string): Omit<NoAnswer, 'timings'> {
    const none = { error, message, sent: this.#sent ? ('perhaps' as const) : ('no' as const) }
    return this.#cause === undefined ? none : { ...none, cause: this.#cause }
  }

  protected override settle(result: Ended): void {
    if (this.settled) return
    this.settled = true
    clearTimeout(this.#timer)
    clearTimeout(this.#total)
    this.request.signal?.removeEventListener('abort', this)
    this.#timings.totalMs = performance.now() - this.#startedAt
    const { originLimit, connections, names, open } = this.#network
    open.delete(this)
    if (!this.#connection) names.leave(this.#to.hostname, this)
    if (this.#connection && this.#whole) connections.giveBack(this.#connection)
    else if (this.#connection) connections.drop(this.#connection)
    if (!hasPlace(this.request, this.#to)) originLimit.leave(this.#to.origin, this)
    this.takenWhole({ ...result, timings: this.#timings } as Outcome, this.#resolve)
  }
}

const hasPlace = ({ place }: OutboundRequest, { origin }: Destination): boolean => place?.origin === origin

const isWhole = (body: AnyRequest['body']): body is string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)

// One function for all requests, instead of a closure for each.
const onTimeout = (exchange: Exchange): void => exchange.late()
const onTotal = (exchange: Exchange): void => exchange.tooLong()
