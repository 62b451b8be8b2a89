// Opens the connections of the outbound client, to the addresses that were found for a name. Every address is judged here, and the connection goes
// to the addresses that were judged: the name is not resolved a second time, so DNS rebinding has nothing to change.
import { connect as connectTcp, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type * as undici from 'undici'
import { checkAddress, isAllowedOrigin, type Policy, refusedAddress } from './address.ts'
import { type Authorities, createAuthorities } from './authorities.ts'
import { isLocal, ownFault } from './machine.ts'
import { FloodError, type Meter, meter, wireMeter } from './meter.ts'
import type { Troubles } from './troubles.ts'
import { buildConnector } from './undici.ts'

export type ConnectFailure =
  | 'private-address'
  | 'invalid-url'
  | 'dns'
  | 'connection-refused'
  | 'connection-reset'
  | 'unreachable'
  | 'tls'
  | 'flood'
  | 'timeout'
  /** Not the receiver's fault: nothing can be reached from here. */
  | 'own-fault'

/** Milliseconds. Steps that were not made are left out. */
export interface ConnectTimings {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
}

export interface Address {
  address: string
  family: number
}

export interface ConnectorOptions {
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  ca?: string
  /** The limit for the TCP connection, and again for the TLS handshake. */
  connectTimeoutMs?: number
}

export interface Connection {
  timings: ConnectTimings
  meter: Meter
}

export interface Connector {
  /** undici's connector to one of these addresses of the host. */
  connectTo(addresses: Address[]): undici.buildConnector.connector
  /** The connection that is being handed to undici at this moment, undefined otherwise. */
  handedOver(): Connection | undefined
  /** Every socket that is open or opening. */
  sockets: Set<Socket>
}

/** Why no connection was made. */
export class ConnectError extends Error {
  override name = 'ConnectError'
  failure: ConnectFailure
  timings: ConnectTimings

  constructor(failure: ConnectFailure, message: string, timings: ConnectTimings = {}) {
    super(message)
    this.failure = failure
    this.timings = timings
  }
}

export function createConnector(policy: Policy, troubles: Troubles, options: ConnectorOptions = {}): Connector {
  const timeoutMs = options.connectTimeoutMs ?? 10_000
  // undici's own connector only wraps the TCP connection made here: it verifies the certificate for the name and resumes TLS sessions.
  const secureContext = createSecureContext(options.ca ? { ca: options.ca } : {})
  const secure = buildConnector({ allowH2: false, timeout: timeoutMs, secureContext })
  const authorities = createAuthorities()
  const sockets = new Set<Socket>()
  let handedOver: Connection | undefined

  async function open(target: undici.buildConnector.Options, addresses: Address[], timings: ConnectTimings): Promise<Opened> {
    judge(target, addresses, policy)
    const socket = await timed(timings, 'connectMs', dial(target, addresses, timeoutMs, sockets))
    if (target.protocol !== 'https:') return { socket, meter: meter(socket) }
    const wire = wireMeter(socket)
    const encrypted = await timed(timings, 'tlsMs', encrypt(secure, target, socket, authorities, troubles))
    return { socket: encrypted, meter: meter(encrypted, wire) }
  }

  return {
    sockets,
    handedOver: () => handedOver,
    connectTo: addresses => (target, callback) => {
      const timings: ConnectTimings = {}
      open(target, addresses, timings).then(
        ({ socket, meter }) => {
          // undici writes the waiting request before this callback returns, so that request can read its connection from handedOver.
          handedOver = { timings, meter }
          callback(null, socket)
          handedOver = undefined
        },
        async error => callback(await asConnectError(error, target, timings, troubles), null),
      )
    },
  }
}

interface Opened {
  socket: Socket
  meter: Meter
}

function judge(target: undici.buildConnector.Options, addresses: Address[], policy: Policy) {
  if (addresses.length === 0) throw new ConnectError('dns', `${target.hostname} has no address.`)
  // One forbidden address is enough to refuse the name: a mixed answer is an attack or a mistake.
  const exempt = isAllowedOrigin(`${target.protocol}//${target.host}`, policy)
  for (const { address } of addresses) {
    const kind = exempt ? undefined : refusedAddress(address, policy)
    // Tenants read this message: it must not tell them the address of an internal name, nor its kind.
    if (kind) throw new ConnectError('private-address', `${target.hostname} does not lead to a public address.`)
    if (target.protocol === 'http:' && checkAddress(address) !== 'loopback')
      throw new ConnectError('invalid-url', `http:// is only for loopback, to which ${target.hostname} does not lead; use https://.`)
  }
}

function dial(target: undici.buildConnector.Options, addresses: Address[], timeoutMs: number, sockets: Set<Socket>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host: target.hostname,
      port: Number(target.port) || (target.protocol === 'https:' ? 443 : 80),
      // Happy eyeballs (RFC 8305) over the judged addresses. Node calls this function instead of the resolver.
      autoSelectFamily: true,
      lookup: (_hostname, { all }, answer) =>
        all ? answer(null, addresses) : answer(null, (addresses[0] as Address).address, (addresses[0] as Address).family),
      noDelay: true,
    })
    sockets.add(socket)
    socket.setTimeout(timeoutMs, () => socket.destroy(new ConnectError('timeout', `No connection within ${timeoutMs} ms.`)))
    let made = false
    socket.once('connect', () => {
      made = true
      socket.setTimeout(0)
      resolve(socket)
    })
    // Stays for the socket's life: an error without a listener would end the process.
    socket.on('error', reject)
    socket.once('close', () => {
      sockets.delete(socket)
      // The stack trace of an error costs more than the rest of closing.
      if (!made) reject(new ConnectError('connection-reset', 'The connection was closed while it was being made.'))
    })
  })
}

function encrypt(
  secure: undici.buildConnector.connector,
  target: undici.buildConnector.Options,
  httpSocket: Socket,
  authorities: Authorities,
  troubles: Troubles,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    secure({ ...target, httpSocket }, (error, socket) => {
      if (!error) {
        authorities.verified()
        troubles.ended('authorities')
        return resolve(socket as Socket)
      }
      httpSocket.destroy()
      if (error instanceof FloodError) return reject(new ConnectError('flood', error.message))
      const code = 'code' in error ? String(error.code) : ''
      if (code === 'UND_ERR_CONNECT_TIMEOUT') return reject(new ConnectError('timeout', 'The TLS handshake was not finished in time.'))
      const ours = authorities.refused(target.hostname, code)
      if (!ours) return reject(new ConnectError('tls', error.message))
      troubles.seen('authorities', ours)
      return reject(new ConnectError('own-fault', `Not sent: ${ours}.`))
    })
  })
}

function timed<T>(timings: ConnectTimings, name: keyof ConnectTimings, work: Promise<T>): Promise<T> {
  const started = performance.now()
  return work.finally(() => {
    timings[name] = performance.now() - started
  })
}

async function asConnectError(
  error: unknown,
  target: undici.buildConnector.Options,
  timings: ConnectTimings,
  troubles: Troubles,
): Promise<ConnectError> {
  if (error instanceof ConnectError) return Object.assign(error, { timings })
  const { code, message, address } = tellingOf(error as NodeJS.ErrnoException)
  const ours = await ownFault(code, address)
  if (ours) {
    troubles.seen('machine', ours)
    return new ConnectError('own-fault', `Not sent: ${ours}.`, timings)
  }
  if (code === 'ECONNREFUSED') return new ConnectError('connection-refused', `${target.host} refused the connection.`, timings)
  if (code === 'ETIMEDOUT') return new ConnectError('timeout', `No connection to ${target.host} in time.`, timings)
  if (code === 'ECONNRESET') return new ConnectError('connection-reset', `${target.host} reset the connection.`, timings)
  return new ConnectError('unreachable', `${target.host} cannot be reached (${code || message}).`, timings)
}

// Where several addresses were tried, an error from the network tells more than an error from this machine.
function tellingOf(error: NodeJS.ErrnoException): { code: string; message: string; address: string } {
  const all: (NodeJS.ErrnoException & { address?: string })[] = error instanceof AggregateError ? error.errors : [error]
  const { code = '', message, address = '' } = all.find(each => !isLocal(each.code ?? '')) ?? (all[0] as (typeof all)[number])
  return { code, message, address }
}
