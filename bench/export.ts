// Every order of every shop as NDJSON over HTTP, shop by shop, against COPY of the same texts over PostgreSQL's own protocol. Both are read
// as leanly as Node can: the bytes are only counted, and all must arrive.
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { Client } from 'pg'
import { compare, median, verdict } from './compare.ts'
import type { Dataset, Key } from './dataset.ts'
import type { Contender } from './load.ts'
import { startWeb } from './servers.ts'

const SAMPLE_MS = 100
const LIMIT_MB = 350

interface Shop extends Key {
  rows: number
  /** Bytes of its texts, each with a line feed. */
  bytes: number
}

export async function exportOrders(dataset: Dataset): Promise<void> {
  const shops = await theShops(dataset)
  const web = await startWeb(dataset)
  const copy = await copier(dataset.databaseUrl)
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(web.resident()), SAMPLE_MS)
  try {
    await compare({
      title: `export: all orders of ${shops.length} shops as NDJSON, rows a second; times are a shop's`,
      names: ['COPY (select doc …) to stdout', 'GET /api/v1/exports/orders'],
      baseline: allOf(shops, ({ tenant }) => copy.bytesOf(`copy (select doc from orders where tenant_id = '${tenant}') to stdout`)),
      ours: allOf(shops, ({ key }) => download(web.address, key)),
      rounds: 3,
      atLeast: 0.5,
    })
    const peak = Math.max(...samples) / 1e6
    console.log(
      `  ${'memory of web'.padEnd(34)} ${peak.toFixed(0).padStart(7)} MB at most, median ${(median(samples) / 1e6).toFixed(0)} MB: ${verdict(peak < LIMIT_MB)}`,
    )
  } finally {
    clearInterval(sampling)
    copy.close()
    await web.stop()
  }
}

/** The shops, each with a key that is not used up: a minute's reads are many times the rounds. */
async function theShops({ db, keys }: Dataset): Promise<Shop[]> {
  const sizes = await db.sql<{ tenant: string; rows: number; bytes: number }[]>`
    select tenant_id as tenant, count(*)::int as rows, sum(octet_length(doc) + 1)::float8 as bytes from orders group by tenant_id`
  const keyOf = new Map(keys.map(({ tenant, key }) => [tenant, key]))
  return sizes.map(size => ({ ...size, key: keyOf.get(size.tenant) as string }))
}

/** Once through all shops, however long it takes. COPY has a message's five bytes before each row, so as many at least must come. */
const allOf =
  (shops: Shop[], bytesOf: (shop: Shop) => Promise<number>): Contender =>
  async () => {
    const took: number[] = []
    const began = performance.now()
    for (const shop of shops) {
      const from = performance.now()
      if ((await bytesOf(shop)) < shop.bytes) throw new Error(`not all orders of ${shop.tenant} came`)
      took.push(performance.now() - from)
    }
    const rows = shops.reduce((sum, shop) => sum + shop.rows, 0)
    const sorted = took.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] as number
    return { perSecond: (rows / (performance.now() - began)) * 1000, p50: at(0.5), p99: at(0.99) }
  }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function download(address: string, key: string): Promise<number> {
  const request = get(`${address}/api/v1/exports/orders`, { agent, headers: { Authorization: `Bearer ${key}` } })
  const [answer] = await once(request, 'response')
  if (answer.statusCode !== 200) throw new Error(`a download was answered ${answer.statusCode}`)
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(answer, 'end')
  return bytes
}

/** A connection that pg has opened, and whose socket is then ours. */
async function copier(url: string): Promise<{ bytesOf(statement: string): Promise<number>; close(): void }> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream
  socket.removeAllListeners('data')
  return {
    bytesOf: statement =>
      new Promise(resolve => {
        let bytes = 0
        let tail: Buffer = Buffer.alloc(0)
        const count = (chunk: Buffer): void => {
          bytes += chunk.length
          tail = Buffer.concat([tail, chunk.subarray(-READY.length)]).subarray(-READY.length)
          if (!tail.equals(READY)) return
          socket.removeListener('data', count)
          resolve(bytes)
        }
        socket.on('data', count)
        socket.write(query(statement))
      }),
    close: () => void socket.destroy(),
  }
}

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

function query(statement: string): Buffer {
  const text = Buffer.from(`${statement}\0`)
  const head = Buffer.from([0x51, 0, 0, 0, 0])
  head.writeUInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
