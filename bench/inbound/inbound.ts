// What customers write on its way in: callbacks accepted, applied from a backlog, and from the first byte of a callback to the line in an operator's stream.
import { wake } from '../../src/callbacks/lease-store.ts'
import { insertAll } from '../../src/callbacks/store.ts'
import { newId } from '../../src/ids.ts'
import { statements } from '../../src/postgres/combine.ts'
import { type Reporting, startScript, startShopdesk, stopAll } from '../../test/support/processes.ts'
import { compare, median, verdict } from '../compare.ts'
import { startWorker } from '../deliver/processes.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import { type Contender, httpLoad, type Round } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { COUNTING } from './cost.ts'
import { printLines } from './lines.ts'
import { copyRows, insertAgain } from './rows.ts'
import { type Channel, callbackRequest, makeShops, type Shop, said, webSettings } from './shops.ts'

const SHOPS = 20
const CHANNELS_OF_SHOP = 10
const AT_ONCE = 64
const BACKLOG = 50_000
const CUSTOMERS = 5_000
const ROUNDS = 3
const ACCEPTED_SHARE = 0.6
const APPLIED_SHARE = 0.25

/** @param only a part: `accepted`; `lines`, that and lines at a tenth of that rate; or lines at so many a second. Undefined: everything */
export async function inbound(only?: number | 'accepted' | 'lines'): Promise<void> {
  console.log(`\ninbound: what customers write on ${SHOPS * CHANNELS_OF_SHOP} channels of ${SHOPS} shops, by signed callbacks`)
  const environment = await openEnvironment('inbound', only === undefined || only === 'accepted' ? {} : COUNTING)
  try {
    console.log(await describeMachine(environment.db.sql))
    const shops = await makeShops(environment, SHOPS, CHANNELS_OF_SHOP)
    if (typeof only === 'number') return await printLines(environment, shops, only, { isCounted: true })
    const accepted = await accepting(environment, shops)
    if (only === 'accepted') return
    if (only === undefined) await applying(environment, shops)
    await empty(environment)
    await printLines(environment, shops, accepted / 10, { isCounted: only === 'lines' })
  } finally {
    await stopAll()
    await environment.close()
  }
}

const channelsOf = (shops: Shop[]): Channel[] => shops.flatMap(({ channels }) => channels)

/** @returns how many a second */
async function accepting(environment: Environment, shops: Shop[]): Promise<number> {
  const channels = channelsOf(shops)
  const web = await startShopdesk('web', webSettings(environment.databaseUrl), 'passed on')
  const bare = await startScript(new URL('./bare.ts', import.meta.url), [environment.databaseUrl])
  let n = 0
  const body = () => said(++n, n % CUSTOMERS)
  // Signed now, for a signature lasts five minutes; in turn, so that a channel's come one after the other.
  const ours = Array.from({ length: 20_000 }, (_, i) => callbackRequest(channels[i % channels.length] as Channel, body()))
  const theirs = Array.from({ length: 20_000 }, (_, i) => {
    const { tenant, id } = channels[i % channels.length] as Channel
    const text = body()
    return Buffer.from(
      `POST /${tenant}/${id} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  })
  const rates: number[] = []
  const load = httpLoad(String(web.ready), ours, AT_ONCE)
  const bareLoad = httpLoad(String(bare.ready), theirs, AT_ONCE)
  const costs = { ours: [] as number[], bare: [] as number[] }
  await compare({
    title: `accepted: signed and durable, ${AT_ONCE} at once`,
    names: ['bare Fastify, the same insert', 'POST …/callback'],
    baseline: ms => costing(bare, costs.bare, bareLoad, ms),
    ours: async ms => {
      const round = await costing(web, costs.ours, load, ms)
      rates.push(round.perSecond)
      return round
    },
    atLeast: ACCEPTED_SHARE,
  })
  console.log(`  processor time of one: web ${micros(costs.ours)}, bare Fastify ${micros(costs.bare)}`)
  await Promise.all([web.stop(), bare.stop()])
  return median(rates)
}

/** Notes the microseconds of processor time that the process takes for one request, of which some come before and after those that count. */
async function costing({ processorMs }: Reporting, costs: number[], load: Contender, ms: number): Promise<Round> {
  const [before, from] = [processorMs(), performance.now()]
  const round = await load(ms)
  costs.push(((processorMs() - before) * 1e6) / (round.perSecond * (performance.now() - from)))
  return round
}

const micros = (costs: number[]): string => `${median(costs).toFixed(0)} µs`

async function applying(environment: Environment, shops: Shop[]): Promise<void> {
  console.log(`\napplied: a backlog of ${BACKLOG} messages of ${CUSTOMERS} customers`)
  const { sql } = environment.db
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await empty(environment)
    const ours = await applied(environment, channelsOf(shops))
    const rows = await copyRows(sql)
    await empty(environment)
    const theirs = BACKLOG / (await insertAgain(environment, rows))
    ratios.push(ours / theirs)
    console.log(`  applied ${whole(ours)}/s, one connection in statements of 100 rows ${whole(theirs)}/s of the same rows`)
  }
  const ratio = median(ratios)
  console.log(`  ratio ${percent(ratio)}, required ${percent(APPLIED_SHARE)}: ${verdict(ratio >= APPLIED_SHARE)}`)
}

async function applied({ db: { sql }, databaseUrl }: Environment, channels: Channel[]): Promise<number> {
  const backlog = Array.from({ length: BACKLOG }, (_, n) => {
    const customer = n % CUSTOMERS
    const { tenant, id: source } = channels[customer % channels.length] as Channel
    return { tenant, source, id: newId('cbk'), text: said(n, customer) }
  })
  for (const together of statements(backlog)) await insertAll(sql, together)
  await sql`vacuum (analyze) callbacks`
  // The sweep is not to find it before it is woken.
  await sql`update callback_sources set queued = false, queued_at = now()`
  const worker: Reporting = await startWorker(databaseUrl, 40)
  const [first] = await sql<[{ done: number }]>`select count(*)::integer as done from callbacks where status = 'applied'`
  const from = performance.now()
  await wake(sql, channels)
  for (;;) {
    const [row] = await sql<[{ left: boolean }]>`select exists (select from callbacks where status = 'waiting') as left`
    if (!row.left) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const seconds = (performance.now() - from) / 1000
  const [row] = await sql<[{ wrong: number; messages: number }]>`
    select (select count(*) from callbacks where status <> 'applied')::integer as wrong, (select count(*) from messages)::integer as messages`
  if (row.wrong > 0 || row.messages !== BACKLOG) throw new Error(`${row.wrong} callbacks were not applied; ${row.messages} messages`)
  await worker.stop()
  return (BACKLOG - first.done) / seconds
}

async function empty({ db: { sql } }: Environment): Promise<void> {
  await sql`truncate callbacks, live_changes, messages, conversations, contacts, audit_log, events cascade`
}

const whole = (value: number): string => Math.round(value).toLocaleString('en').padStart(7)
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
