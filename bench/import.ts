// A file of products imported over HTTP (sent, kept, checked, applied, audited, counted) against bare inserts of the same rows into the
// same table, a thousand at a time over one connection: no file, no validation, no SKUs of their own, no audit, no events.
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { familyMs } from '../test/support/process-usage.ts'
import { aBystander, aKey, p99During } from './bystander.ts'
import { verdict } from './compare.ts'
import { type Environment, openEnvironment, serverMs } from './environment.ts'
import { type Server, startWeb, startWorker } from './servers.ts'

const ROWS = 1_000_000
const BATCH = 1_000
const LIMIT_MB = 200
const IDLE_MS = 10_000

/** @param rows a smaller number for a quick look */
export async function importing(rows: number = ROWS): Promise<void> {
  console.log(`\nimport: ${rows.toLocaleString('en')} products as NDJSON, against bare jsonb_to_recordset batches of ${BATCH}`)
  const environment = await openEnvironment('import')
  const folder = await mkdtemp(join(tmpdir(), 'shopdesk-import-'))
  const [web, worker] = [await startWeb(environment), await startWorker(environment)]
  try {
    const file = join(folder, 'products.ndjson')
    await writeFile(file, rows)
    const bystander = await aBystander(environment, web)
    const idle = await p99During(bystander, delay(IDLE_MS))
    for (const [name, events, atLeast] of [
      ['imported, events off', false, 0.4],
      ['imported, an event per row', true, 0.2],
    ] as const) {
      await empty(environment)
      const before = await bareInserts(environment, rows / 5)
      const weighing = weigh({ web, worker })
      const cost = await costing(environment, { web, worker })
      const running = imported(environment, web, file, events)
      const during = await p99During(bystander, running)
      const rate = rows / (await running)
      const spent = await cost()
      const peak = weighing.peak()
      // Before and after: a disturbance of the machine meanwhile hits both.
      const bare = (before + (await bareInserts(environment, rows / 5))) / 2
      report('bare jsonb_to_recordset', bare)
      report(name, rate, `${Math.round((rate / bare) * 100)} %, required ${atLeast * 100} %: ${verdict(rate / bare >= atLeast)}`)
      const each = Object.entries(spent).map(([name, ms]) => `${name} ${((ms * 1000) / rows).toFixed(1)}`)
      console.log(`  ${'… processor time of a row, µs'.padEnd(34)} ${each.join(', ')}`)
      for (const each of ['web', 'worker'] as const)
        console.log(
          `  ${`… memory of ${each}`.padEnd(34)} ${String(Math.round(peak[each] / 1e6)).padStart(7)} MB, under ${LIMIT_MB}: ${verdict(peak[each] < LIMIT_MB * 1e6)}`,
        )
      console.log(
        `  ${'… p99 of another tenant’s list'.padEnd(34)} ${during.toFixed(1).padStart(7)} ms, idle ${idle.toFixed(1)} ms, under 3 ×: ${verdict(during < 3 * idle)}`,
      )
    }
  } finally {
    await Promise.all([web.stop(), worker.stop()])
    await rm(folder, { recursive: true })
    await environment.close()
  }
}

const report = (name: string, perSecond: number, more = ''): void =>
  console.log(`  ${name.padEnd(34)} ${Math.round(perSecond).toLocaleString('en').padStart(7)} rows/s  ${more}`)

const product = (i: number) => ({
  name: `Linen shirt number ${i}`,
  description: 'Washed linen, straight cut, mother-of-pearl buttons. Made in small series.',
  sku: `SKU-${String(i).padStart(8, '0')}`,
  external_id: `ERP-${i}`,
  category: `Clothes/Shirts/${i % 100}`,
  price_amount: 4_900 + (i % 1_000),
  currency: 'EUR',
  stock: i % 500,
  tags: ['linen', `season-${i % 4}`],
  attributes: { colour: ['white', 'sand', 'navy'][i % 3] as string, size: ['S', 'M', 'L', 'XL'][i % 4] as string },
})

async function writeFile(path: string, rows: number): Promise<void> {
  const file = await open(path, 'w')
  for (let from = 0; from < rows; from += BATCH)
    await file.write(range(from, Math.min(rows, from + BATCH), i => `${JSON.stringify(product(i))}\n`).join(''))
  await file.close()
}

const range = <T>(from: number, to: number, make: (i: number) => T): T[] => Array.from({ length: to - from }, (_, i) => make(from + i))

// The rows as the product writes them, text included, rendered ahead.
async function bareInserts({ db: { sql } }: Environment, rows: number): Promise<number> {
  await sql`create table bare_products (like products including all)`
  let [spent, done] = [0, 0]
  for (; done < rows; done += BATCH) {
    const batch = JSON.stringify(range(done, Math.min(rows, done + BATCH), asRow))
    const began = performance.now()
    await sql`
      insert into bare_products (tenant_id, id, name, sku, external_id, category, status, price_amount, currency, stock, created_at, updated_at, doc)
      select * from jsonb_to_recordset(${batch}::text::jsonb)
        as r (tenant_id text, id text, name text, sku text, external_id text, category text, status text, price_amount bigint, currency text,
              stock integer, created_at timestamptz, updated_at timestamptz, doc text)`
    spent += performance.now() - began
  }
  await sql`drop table bare_products`
  return (done / spent) * 1000
}

function asRow(i: number) {
  const at = new Date().toISOString()
  const row = product(i)
  const id = `prod_${String(i).padStart(26, '0')}`
  const doc = JSON.stringify({ object: 'product', id, ...row, images: [], metadata: {}, version: 1, created_at: at, updated_at: at })
  const { name, sku, external_id, category, price_amount, currency, stock } = row
  return {
    tenant_id: 'ten_0',
    id,
    name,
    sku,
    external_id,
    category,
    status: 'active',
    price_amount,
    currency,
    stock,
    created_at: at,
    updated_at: at,
    doc,
  }
}

async function empty({ db: { sql } }: Environment): Promise<void> {
  await sql`truncate product_skus, product_variants, products, events, audit_log, imports cascade`
  await sql`vacuum analyze`
  await sql`checkpoint`
}

/** @returns seconds from the first byte sent to the last row applied */
async function imported(environment: Environment, web: Server, path: string, events: boolean): Promise<number> {
  const headers = { Authorization: `Bearer ${await aKey(environment)}`, 'Content-Type': 'application/x-ndjson' }
  const began = performance.now()
  const sent = await fetch(`${web.address}/api/v1/imports?resource=products&events=${events}`, {
    method: 'POST',
    headers,
    body: Readable.toWeb(createReadStream(path, { highWaterMark: 256 * 1024 })) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  if (sent.status !== 202) throw new Error(await sent.text())
  const { id } = (await sent.json()) as { id: string }
  const uploaded = performance.now()
  for (;;) {
    await delay(50)
    const [row] = await environment.db.sql<{ status: string; created: number; rows_received: number }[]>`
      select status, created, rows_received from imports where id = ${id}`
    if (row?.status === 'queued' || row?.status === 'running') continue
    if (row?.status !== 'completed' || row.created !== row.rows_received) throw new Error(`the import ${JSON.stringify(row)}`)
    const seconds = (performance.now() - began) / 1000
    console.log(`  (${((uploaded - began) / 1000).toFixed(1)} s of ${seconds.toFixed(1)} s to send it)`)
    return seconds
  }
}

/** @returns a function that tells what processor time each has taken since, in milliseconds */
async function costing(environment: Environment, { web, worker }: { web: Server; worker: Server }) {
  const now = async () => ({ web: familyMs(web.pid), worker: familyMs(worker.pid), PostgreSQL: await serverMs(environment) })
  const before = await now()
  return async () => {
    const after = await now()
    return { web: after.web - before.web, worker: after.worker - before.worker, PostgreSQL: after.PostgreSQL - before.PostgreSQL }
  }
}

function weigh(servers: { web: Server; worker: Server }): { peak(): { web: number; worker: number } } {
  const peak = { web: 0, worker: 0 }
  const timer = setInterval(() => {
    peak.web = Math.max(peak.web, servers.web.resident())
    peak.worker = Math.max(peak.worker, servers.worker.resident())
  }, 100)
  return {
    peak() {
      clearInterval(timer)
      return peak
    },
  }
}
