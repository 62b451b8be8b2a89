// The agent server against REST for the same reads: a call by key, calls in batches, a page, the list of tools; and the memory of web meanwhile.
import { createKey } from '../src/access/keys.ts'
import { PASSWORD } from '../test/support/password.ts'
import { aWebBrowser } from '../test/support/web-browser.ts'
import { compare } from './compare.ts'
import type { Dataset, Key } from './dataset.ts'
import { clearGrants, type Granted, type Grants, grantBeside } from './granted.ts'
import { type Contender, httpLoad } from './load.ts'
import { weigh } from './memory.ts'
import { refreshRequest } from './oauth.ts'
import { someOrders } from './read.ts'
import { get, getPage, post } from './request.ts'
import { startBare, startWeb } from './servers.ts'
import { clearPeople, somePeople } from './sign-in.ts'

const CONNECTIONS = 64
const BATCH = 10
const PAGE = 20
/** The limit where pages and OAuth are in use too. */
const WITH_PAGES_MB = 220
/** Keys made at once: as many as the pool has connections. */
const AT_ONCE = 8

const PATH = '/api/mcp'
/** How the error of a call begins, of one that its model can mend and of one that it cannot: HTTP answers both with 200. */
const REFUSAL = '"error":{"code":'
const call = (args: object, id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_orders', arguments: args } })

/** @param asked parts of it by their names, with commas; all where it is not given */
export async function agent(dataset: Dataset, asked?: string): Promise<void> {
  const agents = await agentKeys(dataset)
  const emails = await somePeople(dataset)
  const [bare, web] = await Promise.all([startBare(dataset), startWeb(dataset)])
  const orders = await someOrders(dataset)
  const granted = await grantBeside(dataset, dataset.keys)
  const ours = (body: (order: { id: string }, at: number) => unknown): Buffer[] =>
    orders.map((order, at) => post(PATH, { tenant: order.tenant, key: agents.get(order.key) as string }, body(order, at)))
  const load = (requests: Buffer[] | ((turn: number) => Buffer), address = web.address): Contender =>
    httpLoad(address, requests, CONNECTIONS, { refusal: REFUSAL })
  const calls = ours(({ id }) => call({ order_id: id }))
  const byId = load(calls)
  const batches = load(ours(({ id }) => Array.from({ length: BATCH }, (_, n) => call({ order_id: id }, n))))
  const tokens = new Map(granted.grants.map(each => [each.key, each.accessToken]))
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  const parts: Record<string, () => Promise<void>> = {
    calls: () =>
      compare({
        title: `agent: one order of 1 M by its id, ${CONNECTIONS} connections`,
        names: ['GET /api/v1/orders/{id}', 'tools/call get_orders {order_id}'],
        baseline: load(orders.map(({ key, tenant, id }) => get(`/api/v1/orders/${id}`, { key, tenant }))),
        ours: byId,
        atLeast: 0.7,
      }),
    token: () =>
      compare({
        title: 'agent, token: the same by access token',
        names: ['by key', 'by access token'],
        baseline: byId,
        ours: load(orders.map(({ key, tenant, id }) => post(PATH, { tenant, key: tokens.get(key) as string }, call({ order_id: id })))),
        atLeast: 0.9,
      }),
    batch: () =>
      compare({
        title: `agent, batch: calls a second in batches of ${BATCH}, against one by one`,
        names: ['calls one by one', `calls in batches of ${BATCH}`],
        baseline: byId,
        ours: times(BATCH, batches),
        atLeast: 2.5,
      }),
    list: () =>
      compare({
        title: `agent, list: ${PAGE} of 1 M orders`,
        names: [`GET /api/v1/orders?limit=${PAGE}`, `tools/call get_orders {limit: ${PAGE}}`],
        baseline: load(orders.map(({ key, tenant }) => get(`/api/v1/orders?limit=${PAGE}`, { key, tenant }))),
        ours: load(ours(() => call({ limit: PAGE }))),
        atLeast: 0.4,
      }),
    tools: () =>
      compare({
        title: 'agent, tools: the list of tools',
        names: ['bare Fastify that finds the key', 'tools/list'],
        baseline: load(
          orders.map(({ key, tenant }) => post('/tools', { tenant, key: agents.get(key) as string }, tools)),
          bare.address,
        ),
        ours: load(ours(() => tools)),
        atLeast: 0.6,
      }),
    async memory() {
      console.log(`\nagent, memory: the web process under load, ${CONNECTIONS} connections`)
      await weigh(web, 'tools/call get_orders {order_id}', byId)
      await weigh(web, `batches of ${BATCH}`, batches)
      const mixed = await withPages(web.address, calls, granted, emails)
      await weigh(web, 'the same with pages and OAuth', load(mixed), WITH_PAGES_MB)
    },
  }
  try {
    for (const [name, part] of Object.entries(parts)) if (asked === undefined || asked.split(',').includes(name)) await part()
  } finally {
    await Promise.all([bare.stop(), web.stop()])
    await clearGrants(dataset.db.sql)
    await clearPeople(dataset, emails)
    await dataset.db.sql`delete from api_keys where kind = 'mcp'`
  }
}

/** Ten requests are six calls of a tool, two pages with a session, one page of consent and one refresh. */
async function withPages(
  address: string,
  calls: Buffer[],
  { client, grants }: Grants,
  emails: string[],
): Promise<(turn: number) => Buffer> {
  const browsers = await Promise.all(
    emails.map(async email => {
      const browser = aWebBrowser(address)
      await browser.send('/sign-in', { email, password: PASSWORD })
      return browser.cookies
    }),
  )
  const consent = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: 'http://localhost/',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  return turn => {
    const cookies = browsers[turn % browsers.length] as Map<string, string>
    if (turn % 10 === 0) return refreshRequest(client, grants[turn % grants.length] as Granted)
    if (turn % 10 === 1) return getPage(`/oauth/authorize?${consent}`, cookies)
    if (turn % 10 < 4) return getPage(turn % 20 < 10 ? '/dashboard/account' : '/dashboard', cookies)
    return calls[turn % calls.length] as Buffer
  }
}

/** An agent key beside each key of the shops. */
async function agentKeys({ db, keys }: Dataset): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  const waiting: Key[] = [...keys]
  const make = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      made.set(next.key, (await createKey(db.sql, { tenant: next.tenant, kind: 'mcp', scopes: ['read', 'write'] })).key)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, make))
  await db.sql`delete from audit_log where action = 'key.create'`
  return made
}

/** A contender that does so many things with each request. */
const times =
  (count: number, contender: Contender): Contender =>
  async ms => {
    const round = await contender(ms)
    return { ...round, perSecond: round.perSecond * count }
  }
