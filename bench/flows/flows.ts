// Flows: a condition and three local steps, beside the same effects by the same verbs without an engine, and beside the plain design; what a run costs; and
// how soon the first effect follows its event.
import { setTimeout as delay } from 'node:timers/promises'
import { wakeFlowsThrough } from '../../src/flows/waking/wake.ts'
import { begin, openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import { eventually } from '../../test/support/eventually.ts'
import { startScript, stopAll } from '../../test/support/processes.ts'
import { openCounter } from '../../test/support/statement-counter.ts'
import { median, verdict } from '../compare.ts'
import { type Environment, openEnvironment, walPosition } from '../environment.ts'
import { describeMachine } from '../machine.ts'
import { startWorker } from '../servers.ts'
import { aShop, contacts, contactsIn, EFFECTS, type Shop } from './shops.ts'

const INSTALLATIONS = 50
const RUNS_EACH = 40
const RUNS = INSTALLATIONS * RUNS_EACH
const ROUNDS = 5
const AT_ONCE = 16
/** The least share of the bare verbs' rate, and the least multiple of the plain design's. */
const AT_LEAST = 0.4
const AT_LEAST_PLAIN = 2
const LATENCY_SECONDS = 20
const P50_MS = 25
const P99_MS = 150

export async function flows(): Promise<void> {
  console.log(`\nflows: a condition and three local steps, ${RUNS} runs of ${INSTALLATIONS} installations`)
  const environment = await openEnvironment('flows', { track_commit_timestamp: 'on' })
  const db = openDatabase(environment.databaseUrl, { name: 'bench', lanes: 0, pool: AT_ONCE })
  try {
    const { sql } = db
    console.log(await describeMachine(sql))
    setReactions()
    const shops = await Promise.all(Array.from({ length: INSTALLATIONS }, () => aShop(environment.db.sql)))
    await makePlain(environment)
    // Both stay for all rounds, so that they are compiled, connected and planned before it counts, as the bare verbs are.
    const worker = await startWorker(environment)
    const plainly = await startScript(new URL('./plain.ts', import.meta.url), [environment.databaseUrl])
    const rounds = []
    for (let round = 0; round <= ROUNDS; round++) {
      await environment.db.sql`vacuum analyze`
      const [bare, ours, plain] = [await bareRate(sql, shops), await runRate(sql, environment, shops), await plainRate(sql, shops)]
      // The first is to warm up.
      if (round === 0) continue
      rounds.push({ ofBare: ours.rate / bare, ofPlain: ours.rate / plain, ...ours })
      console.log(`  verbs alone ${bare.toFixed(0)}/s, runs ${ours.rate.toFixed(0)}/s, plain design ${plain.toFixed(0)}/s`)
    }
    await Promise.all([worker.stop(), plainly.stop()])
    const [ofBare, ofPlain] = [rounds.map(each => each.ofBare), rounds.map(each => each.ofPlain)]
    const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
    const times = (factor: number): string => `${factor.toFixed(1)} ×`
    const told = (name: string, ratios: number[], least: number, as: (ratio: number) => string): void =>
      console.log(
        `  of ${name} ${as(median(ratios))} (${as(Math.min(...ratios))} to ${as(Math.max(...ratios))}), required ${as(least)}: ${verdict(median(ratios) >= least)}`,
      )
    told('the verbs alone', ofBare, AT_LEAST, percent)
    told('the plain design', ofPlain, AT_LEAST_PLAIN, times)
    const statements = await statementsOf(sql, environment, shops)
    console.log(`  a run: ${statements.toFixed(1)} statements, ${(median(rounds.map(each => each.wal)) / 1024).toFixed(1)} KB of WAL`)
    await latency(sql, environment, shops, Math.max(...rounds.map(each => each.rate)) / 10)
  } finally {
    await stopAll()
    await db.close()
    await environment.close()
  }
}

/** The same effects, each in a transaction of its own. */
async function bareRate(sql: Sql, shops: Shop[]): Promise<number> {
  const work: (() => Promise<void>)[] = []
  for (const shop of shops)
    for (const contact of await contacts(sql, shop, RUNS_EACH, true))
      work.push(async () => {
        for (const effect of EFFECTS) await begin(sql, tx => effect(tx, shop, contact))
      })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = work.pop(); next; next = work.pop()) await next()
    }),
  )
  return (1000 * RUNS) / (performance.now() - began)
}

/** Events of all, at one stroke. The worker is not told of them: its sweep finds them. */
const happen = (sql: Sql, shops: Shop[]): Promise<void> =>
  begin(sql, async tx => {
    for (const shop of shops) await contactsIn(tx, shop, RUNS_EACH)
  })

/** From the first step begun to the last one ended. */
async function runRate(sql: Sql, environment: Environment, shops: Shop[]): Promise<{ rate: number; wal: number }> {
  await happen(sql, shops)
  const before = await walPosition(environment)
  await drained(sql)
  const [row] = await sql<{ ms: number }[]>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 * 1000 as ms
      from (select started_at, ended_at from flow_runs where state = 'succeeded' order by ended_at desc limit ${RUNS}) r`
  const wal = ((await walPosition(environment)) - before) / RUNS
  return { rate: (1000 * RUNS) / (row?.ms as number), wal }
}

async function makePlain({ db: { sql } }: Environment): Promise<void> {
  await sql`
    create table plain_runs (
      id bigint generated always as identity primary key, shop jsonb not null, contact text not null, place integer not null default 0,
      started_at timestamptz, ended_at timestamptz)`
  await sql`
    create table plain_steps (
      run bigint not null, place integer not null, started_at timestamptz not null, ended_at timestamptz not null, primary key (run, place))`
  await sql`grant all on plain_runs, plain_steps to public`
}

/** Likewise. The jobs of the first steps are there before: nothing is matched. */
async function plainRate(sql: Sql, shops: Shop[]): Promise<number> {
  await begin(sql, async tx => {
    for (const shop of shops)
      await tx`
        with begun as (
          insert into plain_runs (shop, contact)
          select ${JSON.stringify(shop)}::text::jsonb, c.id from unnest(${await contactsIn(tx, shop, RUNS_EACH, true)}::text[]) as c (id)
          returning id
        )
        select graphile_worker.add_job('plain', json_build_object('id', b.id)) from begun b`
  })
  await eventually(async () => (await sql`select 1 from plain_runs where ended_at is null limit 1`).length === 0, 120_000)
  const [row] = await sql<{ ms: number }[]>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 * 1000 as ms
      from (select started_at, ended_at from plain_runs order by id desc limit ${RUNS}) r`
  return (1000 * RUNS) / (row?.ms as number)
}

/** The statements that a worker sends for a run: matching, polling, sweeping and beating included. A run of its own counts them, for counting takes time. */
async function statementsOf(sql: Sql, environment: Environment, shops: Shop[]): Promise<number> {
  const counter = await openCounter(environment.databaseUrl)
  await happen(sql, shops)
  const worker = await startWorker({ databaseUrl: counter.url })
  await drained(sql)
  const each = counter.statements() / RUNS
  await worker.stop()
  await counter.close()
  return each
}

const drained = (sql: Sql): Promise<unknown> =>
  eventually(async () => {
    const [row] = await sql<{ left: boolean }[]>`
      select exists (select from flow_events) or exists (select from flow_runs where due_at is not null) as left`
    return row?.left === false
  }, 120_000)

/** From the commit of an event to that of its first effect. */
async function latency(sql: Sql, environment: Environment, shops: Shop[], perSecond: number): Promise<void> {
  const worker = await startWorker(environment)
  const allTold = wakeFlowsThrough(sql, () => {})
  const happenFor = async (seconds: number): Promise<Date> => {
    const since = new Date()
    for (let i = 0; i < perSecond * seconds; i++) {
      void contacts(sql, shops[i % shops.length] as Shop, 1)
      await delay(1000 / perSecond)
    }
    return since
  }
  await happenFor(2)
  const since = await happenFor(LATENCY_SECONDS)
  await allTold()
  await drained(sql)
  const rows = await environment.db.sql<{ ms: number }[]>`
    select extract(epoch from pg_xact_commit_timestamp(s.xmin) - pg_xact_commit_timestamp(e.xmin))::float8 * 1000 as ms
      from flow_runs r
      join events e on e.tenant_id = r.tenant_id and e.id = r.event_id
      join flow_steps s on s.tenant_id = r.tenant_id and s.run_id = r.id and s.place = 0
     where r.created_at >= ${since}
     order by 1`
  const at = (share: number): number => rows[Math.min(rows.length - 1, Math.floor(rows.length * share))]?.ms ?? Number.NaN
  const [p50, p99] = [at(0.5), at(0.99)]
  console.log(
    `  event to first effect at ${perSecond.toFixed(0)}/s: p50 ${p50.toFixed(1)} ms, required ${P50_MS}: ${verdict(p50 < P50_MS)}; p99 ${p99.toFixed(1)} ms, required ${P99_MS}: ${verdict(p99 < P99_MS)}`,
  )
  await worker.stop()
}
