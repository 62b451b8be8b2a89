// Imports, exports and recoveries, each of which has its worker killed twice: how long the work stands still, and whether all of it is done once. For
// deliveries it is kills.ts that tells.
import { setTimeout as delay } from 'node:timers/promises'
import { setListeners } from '../../src/events/emit.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { deliveryListener } from '../../src/webhooks/delivery/fan-out.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { emitted } from '../../test/support/subscriber.ts'
import { createWebhook, type Environment, openEnvironment, post, type Shop } from './environment.ts'
import { startReceivers } from './receivers.ts'
import { type Finding, type Outcome, progress } from './verdict.ts'

export interface TakeoversPlan {
  /** The rows of the imported file, and then of the export. */
  rows: number
  /** The events that are sent again. */
  events: number
  /** The number of each kind. */
  kills: number
  /** The longest that work may stand still after a kill. */
  stillMs: number
  settings?: Record<string, string>
}

interface Work {
  /** Rows or events that are done for good, and the worker that has them: undefined where none does. */
  look(): Promise<{ done: number; pid: number | undefined; ended: boolean }>
  total: number
}

const LOOK_MS = 10
const LIMIT_MS = 300_000

export async function runTakeovers(plan: TakeoversPlan): Promise<Outcome> {
  const environment = await openEnvironment(plan.settings)
  try {
    const web = await environment.start('web')
    const workers = new Set(await Promise.all([environment.start('worker'), environment.start('worker')]))
    const at = { ...environment, origin: String(web.ready), shop: await environment.shop(1) }
    const facts: Record<string, string> = {}
    const findings: Finding[] = []
    for (const [kind, begin] of Object.entries({ import: beginImport, export: beginExport, recovery: beginRecovery })) {
      const work = await begin(at, plan)
      const began = performance.now()
      const stills: number[] = []
      for (let kill = 1; kill <= plan.kills; kill++)
        stills.push(await killed(work, (kill / (plan.kills + 1)) * work.total, workers, environment))
      await eventually(async () => (await work.look()).ended, LIMIT_MS)
      const { done } = await work.look()
      progress(`${kind}: stood still for ${list(stills)}`)
      facts[kind] = `${work.total} in ${((performance.now() - began) / 1000).toFixed(1)} s; stood still for ${list(stills)} after a kill`
      findings.push(
        {
          promise: `${kind}: goes on within ${plan.stillMs / 1000} s of a kill`,
          figure: list(stills),
          holds: Math.max(...stills) <= plan.stillMs,
        },
        { promise: `${kind}: all of it is done`, figure: `${done} of ${work.total}`, holds: done === work.total },
      )
    }
    findings.push(await onceEach(environment.sql, at.shop, plan))
    for (const worker of workers) await worker.stop()
    return { facts, findings }
  } finally {
    await environment.close()
  }
}

const list = (times: number[]): string => `${times.join(' and ')} ms`

/** Kills the worker that does the work once that is so far, starts another, and tells how long nothing more was done, in milliseconds. */
async function killed(work: Work, from: number, workers: Set<Reporting>, { start }: Environment): Promise<number> {
  const victim = await eventually(async () => {
    const { done, pid, ended } = await work.look()
    if (ended) throw new Error(`The work had ended before its worker was killed: ${done} of ${work.total} were done.`)
    return done >= from && [...workers].find(worker => worker.pid === pid)
  }, LIMIT_MS)
  await victim.stop('SIGKILL')
  const since = performance.now()
  workers.delete(victim)
  const next = start('worker')
  const { done: before } = await work.look()
  for (;;) {
    const { done, ended } = await work.look()
    if (done > before || ended) break
    if (performance.now() - since > LIMIT_MS) throw new Error('The work did not go on.')
    await delay(LOOK_MS)
  }
  const still = Math.round(performance.now() - since)
  workers.add(await next)
  return still
}

type At = Omit<Environment, 'shop'> & { origin: string; shop: Shop }

async function beginImport({ sql, origin, shop }: At, { rows }: TakeoversPlan): Promise<Work> {
  const body = `name,price_amount,external_id\n${Array.from({ length: rows }, (_, n) => `Product ${n},${n % 10_000},E-${n}\n`).join('')}`
  const { id } = await asked(origin, shop, '/api/v1/imports?resource=products', body, 'text/csv')
  return {
    total: rows,
    async look() {
      const [row] = await sql<{ done: number; pid: number | undefined; ended: boolean }[]>`
        select i.created as done, p.pid, i.finished_at is not null as ended
          from imports i left join worker_processes p on p.process = left(i.lease_token::text, 18)
         where i.tenant_id = ${shop.tenant} and i.id = ${id}`
      return { done: 0, ended: false, ...row, pid: row?.pid ?? undefined }
    },
  }
}

async function beginExport({ sql, origin, shop }: At, { rows }: TakeoversPlan): Promise<Work> {
  const { id } = await asked(origin, shop, '/api/v1/exports', JSON.stringify({ resource: 'products', format: 'csv' }), 'application/json')
  return {
    total: rows,
    async look() {
      const [row] = await sql<{ done: number; pid: number | undefined; ended: boolean }[]>`
        select e.rows as done, e.finished_at is not null as ended,
               (select w.pid from graphile_worker._private_jobs j join worker_pools w on w.id = j.locked_by
                 where j.payload ->> 'exportId' = ${id} limit 1) as pid
          from exports e where e.tenant_id = ${shop.tenant} and e.id = ${id}`
      return { done: 0, ended: false, ...row, pid: row?.pid ?? undefined }
    },
  }
}

async function beginRecovery({ sql, origin, shop }: At, { events }: TakeoversPlan): Promise<Work> {
  const since = new Date(Date.now() - 60_000)
  const receivers = await startReceivers(['healthy'], false)
  const { id: webhook } = await createWebhook(origin, shop, receivers.urls[0] as string)
  setListeners([deliveryListener])
  await emitted(sql, shop.tenant, events)
  await eventually(
    async () => (await sql`select 1 from webhook_deliveries where endpoint_id = ${webhook} and state = 'pending' limit 1`).length === 0,
    LIMIT_MS,
  )
  const { id } = await post<{ id: string }>(origin, shop, `/${webhook}/recoveries`, {
    scope: 'all',
    since: since.toISOString(),
    max_per_second: 100,
  })
  return {
    total: events,
    async look() {
      const [row] = await sql<{ done: number; pid: number | undefined; ended: boolean }[]>`
        select r.succeeded as done, p.pid, r.state <> 'running' as ended
          from webhook_recoveries r left join worker_processes p on p.process = left(r.lease_token::text, 18)
         where r.tenant_id = ${shop.tenant} and r.id = ${id}`
      return { done: 0, ended: false, ...row, pid: row?.pid ?? undefined }
    },
  }
}

async function asked(origin: string, { keys }: Shop, path: string, body: string, type: string): Promise<{ id: string }> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys[0]}`, 'Content-Type': type },
    body,
  })
  if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

async function onceEach(sql: Sql, { tenant }: Shop, { rows }: TakeoversPlan): Promise<Finding> {
  const [row] = await sql<{ products: number; different: number }[]>`
    select count(*)::integer as products, count(distinct external_id)::integer as different from products where tenant_id = ${tenant}`
  return {
    promise: 'each row of the file is there once',
    figure: `${row?.products} products, ${row?.different} different`,
    holds: row?.products === rows && row.different === rows,
  }
}
