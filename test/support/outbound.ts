// An outbound client of a test, servers for it, and what came of its requests.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { Policy } from '../../src/outbound/address.ts'
import { type ClientOptions, createClient, type OutboundClient } from '../../src/outbound/client.ts'
import type { Outcome } from '../../src/outbound/outcome.ts'
import type { PostRequest } from '../../src/outbound/request.ts'
import { type Respond, startReceiver, startTcpServer } from './receiver.ts'

type Overrides = Partial<PostRequest> & { url: string }

const lenient: Policy = { allowPrivate: true, allowOrigins: [] }

export function client(t: TestContext, options: ClientOptions = {}, policy = lenient) {
  const made = createClient(policy, options)
  t.after(() => made.close())
  return { ...made, send: (request: Overrides) => send(made, request), fetched: (request: Overrides) => fetched(made, request) }
}

const USUAL = { tenant: 'a tenant', timeoutMs: 5_000, bodyExtraMs: 1_000, keepResponseBytes: 1024 }

const send = (from: OutboundClient, request: Overrides): Promise<Outcome> =>
  from.post({ headers: { 'Content-Type': 'application/json' }, body: '{}', ...USUAL, ...request })

const fetched = (from: OutboundClient, request: Overrides): Promise<Outcome> => from.get({ headers: {}, ...USUAL, ...request })

export async function receiver(t: TestContext, respond?: Respond, options: { tls?: boolean; host?: string } = {}) {
  const started = await startReceiver(respond, options)
  t.after(() => started.close())
  return started
}

/** Calls `onRequest` for every request that a socket sends, with its number on that connection and that connection's number. */
export async function rawServer(t: TestContext, onRequest: (socket: Socket, request: number, connection: number) => void) {
  let connections = 0
  const server = await startTcpServer(socket => {
    const connection = ++connections
    let requests = 0
    socket.on('data', () => onRequest(socket, ++requests, connection))
  })
  t.after(() => server.close())
  return { ...server, connections: () => connections }
}

export function failed(outcome: Outcome, error: string, message: RegExp) {
  assert.equal(outcome.error, error, JSON.stringify(outcome))
  assert.match(outcome.message, message)
}

export function answered(outcome: Outcome) {
  if (outcome.error) assert.fail(`${outcome.error}: ${outcome.message}`)
  return outcome
}
