// Many open streams on one web process: their memory, against as many on bare Fastify; and other reads beside them.
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../../src/access/keys.ts'
import { signWebhook } from '../../src/outbound/sign.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Reporting, startScript, startShopdesk, stopAll } from '../../test/support/processes.ts'
import { verdict } from '../compare.ts'
import type { Key } from '../dataset.ts'
import { startWorker } from '../deliver/processes.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import { type Channel, makeShops, type Shop, said, webSettings } from '../inbound/shops.ts'
import { httpLoad } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { get } from '../request.ts'
import type { Heard, ReadersAsked } from './readers.ts'

const SHOPS = 200
const STREAMS = 2_000
/** A key reads 600 times a minute: with fewer the limiter would be measured. */
const KEYS_OF_SHOP = 30
const ROUND_MS = 5_000
const SETTLE_MS = 3_000
/** For what was said to come to all its streams. */
const LINES_MAX_MS = 20_000
const READS_AT_ONCE = 32
const MEMORY_TIMES = 2
const RESIDENT_MB = 300
const READS_SHARE = 0.8

export async function live(): Promise<void> {
  console.log(`\nlive: ${STREAMS} open streams of ${SHOPS} shops on one web process, one message a second`)
  const environment = await openEnvironment('live')
  try {
    console.log(await describeMachine(environment.db.sql))
    const shops = await makeShops(environment, SHOPS, 1)
    const bare = await startScript(new URL('../inbound/bare.ts', import.meta.url), [environment.databaseUrl, 'telling'])
    const theirs = await open(bare, shops, true)
    await theirs.close()
    await bare.stop()
    const web = await startShopdesk('web', webSettings(environment.databaseUrl), 'passed on')
    const worker = await startWorker(environment.databaseUrl, 40)
    const reads = await readsOf(environment, web, shops)
    await reads(ROUND_MS)
    const without = await reads(ROUND_MS)
    const ours = await open(web, shops, false)
    const beside = await ours.during(() => reads(ROUND_MS))
    await ours.close()
    judge({ theirs, ours, without, beside })
    await Promise.all([web.stop(), worker.stop()])
  } finally {
    await stopAll()
    await environment.close()
  }
}

interface Opened {
  /** Bytes that the streams have added, and all that is resident. */
  added: number
  resident: number
  /** Lines that came to streams while a message a second was said: each to all streams of its shop, and to no other. */
  lines: number
  during<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

async function open(server: Reporting, shops: Shop[], bare: boolean): Promise<Opened> {
  const address = String(server.ready)
  const readers = await startScript(new URL('./readers.ts', import.meta.url), [])
  // The first messages and streams compile what they need.
  for (const { channels } of shops) await say(address, channels[0] as Channel, bare)
  await delay(SETTLE_MS)
  const before = server.resident()
  const shopOf = (stream: number): Shop => shops[stream % shops.length] as Shop
  const toldOf = new Map<string, number[]>()
  const streams = Array.from({ length: STREAMS }, (_, n) => {
    const { tenant, key } = shopOf(n)
    return { path: bare ? `/${tenant}/live` : '/api/v1/conversations/live', key }
  })
  await readers.ask({ address, streams } satisfies ReadersAsked)
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    const over = new AbortController()
    const saying = sayOn(address, shops, bare, { over: over.signal, toldOf })
    try {
      return await work()
    } finally {
      over.abort()
      await saying
    }
  }
  /** Waits for what was said, and judges who has heard it. */
  const heard = async (): Promise<number> => {
    const missing = (all: Heard): number[][] =>
      all.map((numbers, n) => (toldOf.get(shopOf(n).tenant) ?? []).filter(each => !numbers.includes(each)))
    const all = await eventually(async () => {
      const heard = await readers.ask<Heard>('heard')
      return missing(heard).every(each => each.length === 0) && heard
    }, LINES_MAX_MS).catch(() => readers.ask<Heard>('heard'))
    const lost = missing(all).flat().length
    const foreign = all.flatMap((numbers, n) => numbers.filter(each => tenantOf.get(each) !== shopOf(n).tenant)).length
    if (lost > 0 || foreign > 0) throw new Error(`${lost} lines are missing, and ${foreign} came to streams of other shops`)
    return all.flat().length
  }
  await during(() => delay(2 * ROUND_MS))
  const resident = server.resident()
  return {
    added: resident - before,
    resident,
    lines: await heard(),
    during,
    async close() {
      await heard()
      await readers.ask(null)
      await readers.stop('SIGKILL')
    },
  }
}

/** @param toldOf gets the numbers of what was said in each shop */
async function sayOn(
  address: string,
  shops: Shop[],
  bare: boolean,
  { over, toldOf }: { over: AbortSignal; toldOf: Map<string, number[]> },
): Promise<void> {
  for (let n = 0; !over.aborted; n++) {
    const { tenant, channels } = shops[n % shops.length] as Shop
    toldOf.set(tenant, [...(toldOf.get(tenant) ?? []), await say(address, channels[0] as Channel, bare)])
    await delay(1_000, undefined, { signal: over }).catch(() => {})
  }
}

let messages = 0
/** The workspace of each message. */
const tenantOf = new Map<number, string>()

/** @returns the message's number */
async function say(address: string, { tenant, id, secret }: Channel, bare: boolean): Promise<number> {
  const number = ++messages
  tenantOf.set(number, tenant)
  const body = said(number, number % 1_000)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signWebhook([secret], Math.floor(Date.now() / 1000), body) }
  const path = bare ? `/${tenant}/${id}` : `/api/channels/${id}/callback`
  const response = await fetch(address + path, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`a message was not taken: ${response.status}`)
  await response.arrayBuffer()
  return number
}

/** Reads of one conversation, by many keys. */
async function readsOf({ db: { sql } }: Environment, web: Reporting, shops: Shop[]) {
  const address = String(web.ready)
  for (const { channels } of shops) await say(address, channels[0] as Channel, false)
  await eventually(async () => (await sql`select 1 from callbacks where status = 'waiting' limit 1`).length === 0, 60_000)
  const talks = new Map(
    (await sql<{ tenant: string; id: string }[]>`select tenant_id as tenant, min(id) as id from conversations group by 1`).map(row => [
      row.tenant,
      row.id,
    ]),
  )
  const requests: Buffer[] = []
  for (let n = 0; n < KEYS_OF_SHOP; n++)
    for (const { tenant } of shops) {
      const key = { tenant, ...(await createKey(sql, { tenant, kind: 'rest', scopes: ['read'] })) } as unknown as Key
      requests.push(get(`/api/v1/conversations/${talks.get(tenant)}`, key))
    }
  const load = httpLoad(address, requests, READS_AT_ONCE)
  return async (ms: number): Promise<number> => (await load(ms)).perSecond
}

function judge({ theirs, ours, without, beside }: { theirs: Opened; ours: Opened; without: number; beside: number }): void {
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
  console.log(`  bare Fastify: the streams add ${mb(theirs.added)}; ${theirs.lines} lines came`)
  console.log(
    `  web: the streams add ${mb(ours.added)}, ${mb(ours.resident)} resident in all; ${ours.lines} lines came, none missing or foreign`,
  )
  const times = ours.added / theirs.added
  console.log(
    `  ${times.toFixed(1)} ×, required ${MEMORY_TIMES} × and ${RESIDENT_MB} MB in all: ${verdict(times <= MEMORY_TIMES && ours.resident < RESIDENT_MB * 1e6)}`,
  )
  const share = beside / without
  console.log(
    `  reads beside them ${Math.round(beside)}/s, without ${Math.round(without)}/s: ${(share * 100).toFixed(0)} %, required ${READS_SHARE * 100} %: ${verdict(share >= READS_SHARE)}`,
  )
}
