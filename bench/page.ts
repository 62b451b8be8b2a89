// A page of the dashboard, with the session that is read for it, against a page of the REST API: both are read anew for every request.
import { createKey } from '../src/access/keys.ts'
import { beginSession } from '../src/access/sessions.ts'
import { KEYS_PER_PAGE } from '../src/limits/access.ts'
import { begin } from '../src/postgres/sql.ts'
import { createUser } from '../src/tenants/people.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { stopAll } from '../test/support/processes.ts'
import { compare } from './compare.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { httpLoad } from './load.ts'
import { describeMachine } from './machine.ts'
import { weigh } from './memory.ts'
import { get } from './request.ts'
import { startWeb } from './servers.ts'

const CONNECTIONS = 16
const ORDERS = 100
/** A key reads 600 times a minute: with fewer the limiter would be measured. */
const READING_KEYS = 1_000
const P99_MS = 20

export async function page(): Promise<void> {
  const environment = await openEnvironment('page')
  try {
    console.log(await describeMachine(environment.db.sql))
    const web = await startWeb(environment)
    const started = web.resident()
    const [shop, cookies] = await Promise.all([aShop(environment, web.address), sessions(environment)])
    const pages = httpLoad(
      web.address,
      cookies.map(cookie =>
        Buffer.from(`GET /dashboard/settings/developer HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: shopdesk=${cookie}\r\n\r\n`),
      ),
      CONNECTIONS,
    )
    await compare({
      title: `page: ${KEYS_PER_PAGE} keys, ${CONNECTIONS} connections`,
      names: [`GET /api/v1/orders?limit=${ORDERS}`, 'the page of keys, session included'],
      baseline: httpLoad(
        web.address,
        shop.keys.map(key => get(`/api/v1/orders?limit=${ORDERS}`, { key, tenant: shop.tenant })),
        CONNECTIONS,
      ),
      ours: pages,
      atLeast: 0.25,
      p99Under: P99_MS,
    })
    console.log(`\npage, memory: the web process, which had ${(started / 1e6).toFixed(0)} MB when it was started`)
    await weigh(web, 'the page of keys', pages)
  } finally {
    await stopAll()
    await environment.close()
  }
}

/** A shop with orders, and keys that read them. */
async function aShop({ db: { sql } }: Environment, address: string): Promise<{ tenant: string; keys: string[] }> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const keys: string[] = []
  for (let at = 0; at < READING_KEYS; at++) keys.push((await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })).key)
  for (let at = 0; at < ORDERS; at++) {
    const customer = { name: `Customer ${at}`, email: `customer${at}@shop.example` }
    const { ok } = await fetch(`${address}/api/v1/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys[at]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ name: 'A linen shirt', unit_amount: 4_900, quantity: 1 }], customer }),
    })
    if (!ok) throw new Error('an order was not placed')
  }
  return { tenant, keys }
}

/** Admins of a workspace with a page of keys, each signed in. */
async function sessions({ db: { sql } }: Environment): Promise<string[]> {
  const { id: tenant } = await createTenant(sql, { name: 'Linen & More', plan: 'enterprise', currency: 'EUR' })
  const tokens: string[] = []
  for (let at = 0; at < CONNECTIONS; at++) {
    const { id } = await createUser(sql, { tenant, email: `admin${at}@shop.example`, password: 'correct horse battery', role: 'admin' })
    tokens.push(await begin(sql, tx => beginSession(tx, id, tenant, { address: '127.0.0.1', userAgent: 'A browser' })))
    for (let key = 0; key < KEYS_PER_PAGE / CONNECTIONS; key++)
      await createKey(
        sql,
        { tenant, kind: 'rest', scopes: ['read', 'write'], name: `A program of ours, number ${key}` },
        { type: 'user', id },
      )
  }
  return tokens
}
