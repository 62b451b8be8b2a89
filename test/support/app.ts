// The whole service in this process, on a database and a port of its own, with tenants for tests.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Plan } from '../../src/limits/rate.ts'
import type { ClientOptions } from '../../src/outbound/client.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { startWeb, type Web } from '../../src/web.ts'
import { type Contract, contractOf, isDescribed } from './contract.ts'
import { testDatabase } from './database.ts'

export interface Reply {
  status: number
  headers: Headers
  /** The body as JSON; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
  text: string
}

export interface Ask {
  key?: string
  body?: unknown
  /** The body as it is sent, instead of `body`. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

export interface TestTenant {
  id: string
  key: string
  get(path: string, ask?: Ask): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
}

export interface TestApp {
  config: Config
  keyring: Keyring
  /** As the role of web and worker. */
  databaseUrl: string
  /** As the superuser. */
  superuserUrl: string
  /** Where the web process listens. */
  url: string
  /** As the superuser. */
  sql: Sql
  request(method: string, path: string, ask?: Ask): Promise<Reply>
  /** A new tenant with a key of both scopes. The benchmarks' advice holds for tests: many tenants, or the limiter is what is tested. */
  tenant(options?: { plan?: Plan; scopes?: string[] }): Promise<TestTenant>
  /** Starts a worker in this process too. */
  startWorker(network?: ClientOptions): Promise<{ close(): Promise<void> }>
}

/** Many tests need many webhooks, and few are about their number. */
export const MANY_WEBHOOKS = { WEBHOOKS_PER_WORKSPACE: '10000', WEBHOOKS_UNPROVEN_PER_ORIGIN: '10000' }

/**
 * Everything real: PostgreSQL, HTTP, the worker. Private targets are allowed, so that receivers on loopback can be called.
 * Stopped and dropped when the file's tests have run.
 */
export async function testApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await testDatabase()
  const keyring = parseKeyring(randomBytes(32).toString('hex')) as Keyring
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'https://shop.example',
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...MANY_WEBHOOKS,
    ...env,
  }
  const config = loadConfig({ ...settings, DATABASE_URL: database.serviceUrl })
  const needs = { config, databaseUrl: database.serviceUrl, keyring }
  const web = await startWeb(needs)
  const db = openDatabase(database.url, { name: 'test', lanes: 1, pool: 4 })
  const closers = [() => web.close(), () => db.close()]
  after(async () => {
    for (const close of closers) await close()
    await database.drop()
  })

  // Each answer that a test sees is also compared with the OpenAPI document.
  let contract: Contract | undefined
  const request = async (method: string, path: string, ask?: Ask): Promise<Reply> => {
    const reply = await send(web.address, method, path, ask)
    const [at = '', query] = path.split('?', 2)
    if (!isDescribed(at)) return reply
    contract ??= await contractWith(web, config)
    contract.assertAnswer(method, at, reply, query)
    return reply
  }
  return {
    ...needs,
    superuserUrl: database.url,
    url: web.address,
    sql: db.sql,
    request,
    async tenant({ plan = 'enterprise', scopes = ['read', 'write'] } = {}) {
      const { id } = await createTenant(db.sql, { name: 'A shop', plan, currency: 'EUR' })
      const { key } = await createKey(db.sql, { tenant: id, kind: 'rest', scopes })
      // The audit rows of the tenant's creation are not among those that its tests look for.
      await db.sql`delete from audit_log where tenant_id = ${id}`
      const optional = (headers?: Record<string, string>) => (headers ? { headers } : {})
      return {
        id,
        key,
        get: (path, ask) => request('GET', path, { key, ...ask }),
        post: (path, body, headers) => request('POST', path, { key, body, ...optional(headers) }),
        patch: (path, body, headers) => request('PATCH', path, { key, body, ...optional(headers) }),
        delete: (path, headers) => request('DELETE', path, { key, ...optional(headers) }),
      }
    },
    async startWorker(network) {
      // Imported here, for half of the files have none.
      const { startWorker } = await import('../../src/worker.ts')
      const worker = await startWorker(needs, network)
      closers.unshift(() => worker.close())
      return worker
    },
  }
}

/** By the settings, on which alone the document depends, and which most files of a process share: making and compiling it takes a third of a second. */
const contracts = new Map<string, Contract>()

async function contractWith({ app }: Web, { databaseUrl: _own, ...config }: Config): Promise<Contract> {
  const key = JSON.stringify(config)
  const known = contracts.get(key)
  if (known) return known
  // From another address than the test's, for addresses are rate-limited.
  const { payload } = await app.inject({ url: '/api/v1/openapi.json', remoteAddress: '192.0.2.1' })
  const contract = contractOf(JSON.parse(payload))
  contracts.set(key, contract)
  return contract
}

async function send(address: string, method: string, path: string, { key, body, raw, headers = {} }: Ask = {}): Promise<Reply> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(address + path, {
    method,
    redirect: 'manual',
    // The types of pages bring the browser's own, whose fetch takes no Buffer that might be shared.
    ...(content !== undefined && { body: content as string }),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  const text = isEndless(path) && response.ok ? await beginning(response) : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text && /[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
  }
}

const isEndless = (path: string): boolean => /\/live(\?|$)/.test(path)

async function beginning({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return Buffer.from(first?.value ?? []).toString()
}
