// One POST under way, from its slot at the origin to its outcome. Its time starts with its own work: waiting for a slot or for a look-up is not the
// receiver's fault. It is a class, and undici's handler: objects and closures for each request are the largest cost of a delivery.
import type { Dispatcher } from 'undici'
import { type Address, ConnectError, type Connector } from './connect.ts'
import type { Connection, Connections } from './connections.ts'
import type { Names, Seeker } from './name-cache.ts'
import type { OriginLimit } from './origin-limit.ts'
import { type Answer, type Failure, failureOf, messageOf, type NoAnswer, type Outcome, type Timings } from './outcome.ts'
import { type Destination, type PostRequest, payload } from './request.ts'

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

/** How much an answer may hold beside the kept part of its body: interim answers, status line, headers, and the sizes and extensions of chunks. */
const FRAMING_BYTES = 64 * 1024
/** Interim answers of one request. An honest server sends one or two: 102 Processing, 103 Early Hints. */
const INTERIM_MAX = 20

/** Makes the request. Never rejects. */
export function exchange(network: Network, request: PostRequest, destination: Destination): Promise<Outcome> {
  return new Promise(resolve => {
    const exchange = new Exchange(network, request, destination, resolve)
    request.signal?.addEventListener('abort', exchange)
    network.open.add(exchange)
    network.originLimit.enter(destination.origin, exchange)
  })
}

export class Exchange implements Dispatcher.DispatchHandler, Seeker {
  readonly tenant: string
  readonly #network: Network
  readonly #request: PostRequest
  readonly #to: Destination
  readonly #resolve: (outcome: Outcome) => void
  readonly #timings: Timings = { totalMs: 0 }
  #settled = false
  /** By performance.now(). */
  #startedAt = performance.now()
  #soughtAt = 0
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined = undefined
  /** True once the headers came in time: the timer then limits the body. */
  #bodyTime = false
  #connection: Connection | undefined = undefined
  /** False while the request waits for its connection. */
  #sent = false
  /** Its connection has served another request before. */
  #reused = false
  /** The first byte of an answer has come. */
  #answering = false
  /** The answer is complete, so its connection can be used again. */
  #whole = false
  #interim = 0
  /** 0 until the headers of the answer have come. */
  #status = 0
  #headers: Answer['headers'] = {}
  #body: Buffer[] | undefined = undefined
  #size = 0

  constructor(network: Network, request: PostRequest, to: Destination, resolve: (outcome: Outcome) => void) {
    this.tenant = request.tenant
    this.#network = network
    this.#request = request
    this.#to = to
    this.#resolve = resolve
  }

  /** The request has its slot at the origin. */
  begin(): void {
    if (this.#settled || this.#isTooLate()) return
    const idle = this.#network.connections.take(this.#to.origin)
    if (idle) this.#send(idle)
    else this.#connect()
  }

  seeking(): void {
    this.#startClock()
    this.#soughtAt = performance.now()
  }

  found(addresses: Address[]): void {
    if (this.#settled || this.#isTooLate()) return
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
    this.#settle(this.#status ? this.#answer(error) : { error, message })
  }

  late(): void {
    const { timeoutMs, bodyExtraMs } = this.#request
    if (this.#status && !this.#bodyTime) {
      this.#bodyTime = true
      this.#timer = setTimeout(onTimeout, bodyExtraMs, this)
      return
    }
    this.fail('timeout', `No ${this.#sent ? 'response' : 'connection'} within ${timeoutMs} ms.`)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was given up while it waited for its connection.
    if (this.#settled) return void controller.abort(new Error('The outcome is known.'))
    const made = this.#network.connector.handedOver()
    this.#sent = true
    this.#reused = !made
    this.#sentAt = performance.now()
    const connection = this.#connection as Connection
    if (made) {
      Object.assign(this.#timings, made.timings)
      connection.meter = made.meter
    }
    connection.meter?.allow(FRAMING_BYTES + this.#request.keepResponseBytes)
  }

  onResponseStarted(): void {
    this.#answering = true
    this.#timings.firstByteMs ??= performance.now() - this.#sentAt
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Answer['headers']): void {
    // 1xx: the final answer is still to come.
    if (status < 200) {
      if (++this.#interim > INTERIM_MAX) this.fail('flood', `More than ${INTERIM_MAX} interim answers (1xx) came before the answer.`)
      return
    }
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body ??= []
    this.#body.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#request.keepResponseBytes) this.#settle(this.#answer('size'))
  }

  onResponseEnd(): void {
    this.#whole = true
    this.#settle(this.#answer(false))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return
    const failure = failureOf(error)
    // The receiver closed an idle connection just as it was used again, which is no failure of the receiver. Whether it took the request cannot be
    // known. Deliveries are at least once, so the request is made again, once, on a new connection.
    if (failure === 'connection-reset' && this.#reused && !this.#answering) {
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
    if (this.#request.mayBegin?.() ?? true) return false
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
    this.#timer = setTimeout(onTimeout, this.#request.timeoutMs, this)
  }

  #send(connection: Connection): void {
    this.#startClock()
    this.#connection = connection
    connection.client.dispatch({ path: this.#to.path, method: 'POST', ...payload(this.#request) }, this)
  }

  #answer(truncated: Answer['truncated']): Omit<Answer, 'timings'> {
    const body = this.#body ? Buffer.concat(this.#body).toString('utf8', 0, this.#request.keepResponseBytes) : ''
    return { status: this.#status, headers: this.#headers, body, truncated }
  }

  #settle(result: Omit<Answer, 'timings'> | Omit<NoAnswer, 'timings'>): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this)
    this.#timings.totalMs = performance.now() - this.#startedAt
    const { originLimit, connections, names, open } = this.#network
    open.delete(this)
    if (!this.#connection) names.leave(this.#to.hostname, this)
    if (this.#connection && this.#whole) connections.giveBack(this.#connection)
    else if (this.#connection) connections.drop(this.#connection)
    originLimit.leave(this.#to.origin, this)
    this.#resolve({ ...result, timings: this.#timings } as Outcome)
  }
}

// One function for all requests, instead of a closure for each.
const onTimeout = (exchange: Exchange): void => exchange.late()
