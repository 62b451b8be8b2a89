// Bodies made to cost as much as a route lets them, sent one after the other to web, and as rows of an import to web and worker, while another
// tenant asks for a list: the cost of each, web's memory, and the delays of the other tenant.
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { ROW_BYTES } from '../src/imports/file/row.ts'
import { takesJson } from '../src/ingress/body.ts'
import { restRoutes } from '../src/rest.ts'
import { hostileBodies } from '../test/support/hostile.ts'
import { type Reporting, startScript } from '../test/support/processes.ts'
import { type Asking, aBystander, aKey, p99During } from './bystander.ts'
import { verdict } from './compare.ts'
import { type Environment, openEnvironment } from './environment.ts'
import type { Attack, Cost } from './hostile-attacker.ts'
import { describeMachine } from './machine.ts'
import { type Server, startWeb, startWorker } from './servers.ts'

const REFUSED_MS = 250
const MORE_MB = 60
const ANSWER_KB = 100
const P99_MS = 50
const IDLE_MS = 5_000
/** A key writes 120 times a minute. */
const KEYS = 50

/** @param fillings of each place of each body: all there are, or one */
export async function hostile(fillings: Exclude<Attack, 'right'> = 'all'): Promise<void> {
  const environment = await openEnvironment('hostile')
  console.log(await describeMachine(environment.db.sql))
  const [web, worker] = [await startWeb(environment), await startWorker(environment)]
  const keys = await Promise.all(Array.from({ length: KEYS }, () => aKey(environment)))
  const attacker = await startScript(new URL('./hostile-attacker.ts', import.meta.url), [web.address, String(web.pid), ...keys])
  try {
    const bystander = await aBystander(environment, web)
    // The first requests are slow in a process that has served none.
    await p99During(bystander, delay(IDLE_MS))
    console.log(
      `\nhostile: another tenant’s list, nothing else going on: p99 ${(await p99During(bystander, delay(IDLE_MS))).toFixed(1)} ms`,
    )
    const right = await attacked(attacker, bystander, 'right')
    console.log(`\nhostile: bodies that are right, as full as they may be (what is taken is written)`)
    for (const { what, status, ms, bytes } of right.costs.sort(dearest).slice(0, 6))
      console.log(`  ${line(ms, 'ms')}  ${status}, ${what}, ${bytes} bytes`)
    reportList(right.p99)
    const weighed = Math.max(...right.costs.map(each => each.resident))

    const { costs, p99 } = await attacked(attacker, bystander, fillings)
    const refused = costs.filter(({ status }) => status >= 400 || status === 207)
    console.log(`\nhostile: ${costs.length} bodies, of which ${refused.length} refused`)
    for (const { what, status, ms } of refused.sort(dearest).slice(0, 6)) console.log(`  ${line(ms, 'ms')}  ${status}, ${what}`)
    report('processor time, the dearest', refused[0]?.ms ?? 0, 'ms', REFUSED_MS)
    report('processor time, the median', refused[refused.length >> 1]?.ms ?? 0, 'ms')
    report('web more than with right ones', (Math.max(...costs.map(each => each.resident)) - weighed) / 2 ** 20, 'MB', MORE_MB)
    report('the longest answer', Math.max(...refused.map(each => each.bytes)) / 1024, 'KB', ANSWER_KB)
    reportList(p99)

    await importHostile(environment, web, worker, bystander)
  } finally {
    await Promise.all([attacker.stop(), web.stop(), worker.stop()])
    await environment.close()
  }
}

async function attacked(attacker: Reporting, bystander: Asking, attack: Attack): Promise<{ costs: Cost[]; p99: number }> {
  const asked = attacker.ask<Cost[]>(attack)
  const p99 = await p99During(bystander, asked)
  return { costs: await asked, p99 }
}

const dearest = (a: Cost, b: Cost): number => b.ms - a.ms

// The same bodies as rows: all of them are refused, and neither process suffers.
async function importHostile(environment: Environment, web: Server, worker: Server, bystander: Asking): Promise<void> {
  const body = new Blob(hostileRows().map(row => new Uint8Array(row)))
  const imported = sent(environment, web, body)
  const p99 = await p99During(bystander, imported)
  const { status, failed, seconds } = await imported
  console.log(`\nhostile: an import of ${failed} such rows, ${Math.round(body.size / 2 ** 20)} MB, ${status} after ${seconds.toFixed(1)} s`)
  report('memory of the worker', worker.resident() / 1e6, 'MB', 250)
  reportList(p99)
}

function hostileRows(): Buffer[] {
  const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64) })
  const { routes } = restRoutes(config, {} as never, {} as never)
  const orders = routes.filter(takesJson).find(({ method, path }) => method === 'POST' && path === '/api/v1/orders')
  if (!orders) throw new Error('there is no route to place an order')
  const bodies = [...hostileBodies(orders, 'one')].filter(({ what, body }) => body.length < ROW_BYTES && !what.endsWith('right'))
  return bodies.map(({ body }) => Buffer.concat([body, Buffer.from('\n')]))
}

async function sent(environment: Environment, web: Server, body: Blob): Promise<{ status: string; failed: number; seconds: number }> {
  const headers = { Authorization: `Bearer ${await aKey(environment)}`, 'Content-Type': 'application/x-ndjson' }
  const began = performance.now()
  const reply = await fetch(`${web.address}/api/v1/imports?resource=orders&dry_run=true`, { method: 'POST', headers, body })
  if (reply.status !== 202) throw new Error(await reply.text())
  const { id } = (await reply.json()) as { id: string }
  for (;;) {
    const [row] = await environment.db.sql<{ status: string; failed: number }[]>`select status, failed from imports where id = ${id}`
    if (row && !['queued', 'running'].includes(row.status)) return { ...row, seconds: (performance.now() - began) / 1000 }
    await delay(50)
  }
}

const line = (value: number, unit: string): string => `${value.toFixed(unit === 'ms' ? 1 : 0).padStart(8)} ${unit}`

const report = (name: string, value: number, unit: string, limit?: number): void =>
  console.log(`  ${name.padEnd(34)} ${line(value, unit)}${limit === undefined ? '' : `, under ${limit}: ${verdict(value < limit)}`}`)

const reportList = (p99: number): void => report('p99 of another tenant’s list', p99, 'ms', P99_MS)
