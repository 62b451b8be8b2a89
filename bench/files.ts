// Files of messages, in and out, against the memory that web and worker need for them: it must not depend on their size.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKey } from '../src/access/keys.ts'
import * as attachments from '../src/attachments/attachments.ts'
import * as accounts from '../src/channels/accounts/accounts.ts'
import { apply } from '../src/conversations/apply.ts'
import type { Update } from '../src/conversations/update.ts'
import { newId } from '../src/ids.ts'
import { begin } from '../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { eventually } from '../test/support/eventually.ts'
import { type Reporting, startShopdesk } from '../test/support/processes.ts'
import { median, verdict } from './compare.ts'
import { SECRET_KEY } from './dataset.ts'
import { type Environment, openEnvironment } from './environment.ts'

const FILE_BYTES = 20 * 1024 * 1024
const ROUNDS = 3
const keyring = parseKeyring(SECRET_KEY) as Keyring
const SAMPLE_MS = 10
/** Files at once, and by how many bytes a process may grow meanwhile. */
const LIMITS: [files: number, megabytes: number][] = [
  [1, 30],
  [4, 80],
]

interface Stage extends Environment {
  web: Reporting
  worker: Reporting
  key: string
  tenant: string
  /** A platform that hands out a file of any length at `/<bytes>`, and takes those that are sent to it. */
  platform: string
  /** Conversations, each on a channel of its own at that platform, and the next one whose turn it is. */
  talks: string[]
  next: number
}

export async function files(): Promise<void> {
  console.log(`\nfiles: the memory that files of ${FILE_BYTES / 1024 / 1024} MB take of web and worker, in and out`)
  const environment = await openEnvironment('files')
  const platform = await startPlatform()
  const settings = { DATABASE_URL: environment.databaseUrl, SECRET_KEY, LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: '0' }
  const [web, worker] = await Promise.all([
    startShopdesk('web', settings, 'passed on'),
    startShopdesk('worker', { ...settings, OUTBOUND_ALLOW_PRIVATE: 'true' }, 'passed on'),
  ])
  try {
    const shop = await aShop(environment)
    const talks = await makeTalks(environment, shop.tenant, platform.url)
    const stage = { ...environment, web, worker, platform: platform.url, talks, next: 0, ...shop }
    for (const [name, of, once] of [
      ['sent in over REST', web, sendIn],
      ['sent out over REST', web, sendOut],
      ['fetched from a platform', worker, fetchIn],
      ['uploaded to a platform', worker, uploadOut],
    ] as const)
      for (const [count, limit] of LIMITS)
        await weigh(`${count} ${name}`, of, () => Promise.all(Array.from({ length: count }, () => once(stage))), limit)
  } finally {
    await Promise.all([web.stop(), worker.stop()])
    platform.close()
    await environment.close()
  }
}

/** The growth of a process while files go through it, after it has seen as many: what it then keeps is not theirs. */
async function weigh(name: string, of: Reporting, work: () => Promise<unknown>, limit: number): Promise<void> {
  const growths: number[] = []
  let seconds = 0
  await work()
  for (let round = 0; round < ROUNDS; round++) {
    const before = of.resident()
    let most = before
    const sampling = setInterval(() => {
      most = Math.max(most, of.resident())
    }, SAMPLE_MS)
    const since = performance.now()
    await work()
    seconds = (performance.now() - since) / 1000
    clearInterval(sampling)
    growths.push((most - before) / 1e6)
  }
  const most = Math.max(...growths)
  console.log(
    `  ${name.padEnd(30)} ${most.toFixed(1).padStart(6)} MB at most, median ${median(growths).toFixed(1)} MB, in ${seconds.toFixed(1)} s, under ${limit} MB: ${verdict(most < limit)}`,
  )
}

const FILE = Buffer.alloc(FILE_BYTES, 'a file of twenty megabytes ')

async function sendIn({ web, key }: Stage): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/octet-stream' }
  const answer = await fetch(`${web.ready}/api/v1/attachments`, { method: 'POST', headers, body: FILE })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ((await answer.json()) as { id: string }).id
}

let stored: string | undefined

async function sendOut(stage: Stage): Promise<void> {
  stored ??= await sendIn(stage)
  const answer = await fetch(`${stage.web.ready}/api/v1/attachments/${stored}`, { headers: { Authorization: `Bearer ${stage.key}` } })
  let bytes = 0
  for await (const piece of answer.body ?? []) bytes += piece.length
  if (bytes !== FILE_BYTES) throw new Error(`${answer.status}: ${bytes} bytes`)
}

async function fetchIn({ db, tenant, platform }: Stage): Promise<void> {
  const media = { type: 'file', source: { url: `${platform}/${FILE_BYTES}` } } as const
  const [file] = await begin(db.sql, tx => attachments.expected(tx, tenant, newId('chn'), [{ message: newId('msg'), media }]))
  await eventually(async () => {
    const [row] = await db.sql<{ status: string; error: unknown }[]>`
      select status, error from attachments where tenant_id = ${tenant} and id = ${file?.id ?? ''}`
    if (row?.status === 'failed') throw new Error(JSON.stringify(row.error))
    return row?.status === 'stored'
  }, 60_000)
}

/** A reply with a file, which the worker uploads before it sends the message. */
async function uploadOut(stage: Stage): Promise<void> {
  const { web, key, db, tenant, talks } = stage
  const id = await sendIn(stage)
  const conversation = talks[stage.next++ % talks.length]
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  // The same words, or none, twice within a minute would be refused.
  const body = JSON.stringify({ text: `File ${stage.next}`, attachments: [{ id }] })
  const answer = await fetch(`${web.ready}/api/v1/conversations/${conversation}/messages`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(await answer.text())
  const { id: message } = (await answer.json()) as { id: string }
  await eventually(async () => {
    const [row] = await db.sql<
      { status: string; doc: string }[]
    >`select status, doc from messages where tenant_id = ${tenant} and id = ${message}`
    if (row?.status === 'failed' || row?.status === 'unknown') throw new Error(row.doc)
    return row?.status === 'sent'
  }, 60_000)
}

/** As many customers of Telegram as files are sent at once, who have written to a bot each. */
async function makeTalks({ db: { sql } }: Environment, tenant: string, platform: string): Promise<string[]> {
  const caller = { tenant, actor: { type: 'system' } } as const
  const talks: string[] = []
  for (let n = 0; n < Math.max(...LIMITS.map(([count]) => count)); n++) {
    const credentials = { token: `${n}:the-token`, secret: accounts.newSecret() }
    const input: accounts.NewAccount = { platform: 'telegram', name: 'A bot', settings: { api_url: platform }, credentials }
    const channel = await begin(sql, tx => accounts.add(tx, caller, input, keyring))
    const from = { ids: ['7'], name: 'Ann' }
    const update: Update = { kind: 'message', thread: '7', at: null, from, external_id: 'first', said: { text: 'Hello?', media: [] } }
    await begin(sql, async tx =>
      apply(tx, caller, (await accounts.of(tx, tenant, channel)) as accounts.Account, [{ update, receivedAt: new Date() }]),
    )
    const [row] = await sql<{ id: string }[]>`select id from conversations where tenant_id = ${tenant} and channel_id = ${channel}`
    talks.push(row?.id as string)
  }
  return talks
}

async function aShop({ db }: Environment): Promise<{ tenant: string; key: string }> {
  const { id: tenant } = await createTenant(db.sql, { name: 'Files', plan: 'enterprise', currency: 'EUR' })
  const { key } = await createKey(db.sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
  return { tenant, key }
}

let taken = 0

async function startPlatform(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(FILE.subarray(0, Number(request.url?.slice(1))))
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    request.on('end', () => {
      response.writeHead(bytes < FILE_BYTES ? 400 : 200, { 'Content-Type': 'application/json' })
      response.end(
        bytes < FILE_BYTES
          ? '{"ok":false,"error_code":400,"description":"half a file"}'
          : `{"ok":true,"result":{"message_id":${++taken},"chat":{"id":7}}}`,
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
