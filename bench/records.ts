// Records of apps over REST: lists beside those of orders of the same length, filters beside none, few rows in the table beside many of others, creates beside
// those of contacts; and what the columns of five fields cost an insert.
import { join } from 'node:path'
import type { Caller } from '../src/caller.ts'
import { loadConfig } from '../src/config.ts'
import { openEmbedded } from '../src/postgres/embedded/embedded.ts'
import { begin, openDatabase } from '../src/postgres/sql.ts'
import { setReactions } from '../src/reactions.ts'
import * as records from '../src/records/records.ts'
import { stopAll } from '../test/support/processes.ts'
import { asService } from './as-service.ts'
import { compare, median, verdict } from './compare.ts'
import type { Key } from './dataset.ts'
import { SETTINGS, serverMs } from './environment.ts'
import { filled } from './filled.ts'
import { type Contender, httpLoad } from './load.ts'
import { describeMachine } from './machine.ts'
import { fill, keysOf, POINTS, values } from './points.ts'
import { get, post } from './request.ts'
import { type Server, startWeb } from './servers.ts'

/** Records of other shops in the small table. */
const FEW = 10_000
const CONNECTIONS = 64
const WRITERS = 16

const PARTS = ['list', 'filters', 'others', 'create', 'insert'] as const
type Part = (typeof PARTS)[number]

/** @param asked parts by comma, all unless named; `fill` makes the data and measures nothing @param others how many records of other shops there are */
export async function measureRecords(asked: string | undefined, others = 1_000_000): Promise<void> {
  setReactions()
  const parts = asked === undefined ? PARTS : PARTS.filter(each => asked.split(',').includes(each))
  const { databaseUrl, dataDir } = loadConfig()
  const embedded =
    databaseUrl === undefined ? await openEmbedded({ dataDir: join(dataDir, 'bench-records'), settings: SETTINGS }) : undefined
  const server = databaseUrl ?? (embedded?.url as string)
  const open = async (name: string, count: number): Promise<Shops> => {
    const url = await filled(server, {
      prefix: `shopdesk_records_${name}`,
      source: [new URL('./points.ts', import.meta.url)],
      fill: sql => fill(sql, count),
    })
    return { url, databaseUrl: await asService(url, embedded), keys: await keysOf(url) }
  }
  try {
    const [few, many] = [await open('few', FEW), await open(`of_${'x'.repeat(String(others).length)}`, others)]
    if (asked !== 'fill') await measure(parts, few, many, others)
  } finally {
    await stopAll()
    await embedded?.close()
  }
}

interface Shops {
  /** The address for the database's owner. */
  url: string
  /** The address by which web connects. */
  databaseUrl: string
  keys: Key[]
}

async function measure(parts: readonly Part[], few: Shops, many: Shops, others: number): Promise<void> {
  const db = openDatabase(many.url, { name: 'shopdesk bench', lanes: 0, pool: 4 })
  try {
    console.log(await describeMachine(db.sql))
    const web = await startWeb(many)
    const list = (query: string, connections = CONNECTIONS): Contender => gets(web, many, `${POINTS}?limit=50${query}`, connections)
    const million = others.toLocaleString('en')
    if (parts.includes('list'))
      await compare({
        title: `records: a page of 50, ${CONNECTIONS} connections, ${million} records of others`,
        names: ['GET /api/v1/orders', 'GET /api/platform/resources/…'],
        baseline: gets(web, many, '/api/v1/orders?limit=50', CONNECTIONS),
        ours: list(''),
        atLeast: 0.75,
      })
    if (parts.includes('filters'))
      for (const [title, query] of [
        ['a value of one in a hundred', '&filter[tier]=gold'],
        ['a value of every second', '&filter[used]=true'],
      ] as const)
        await compare({
          title: `records: filtered by ${title}`,
          names: ['no filter', query.slice(1)],
          baseline: list(''),
          ours: list(query),
          atLeast: 0.7,
        })
    if (parts.includes('others')) {
      const beside = await startWeb(few)
      await compare({
        title: `records: a page of 50 beside ${million} records of others`,
        names: [`beside ${FEW.toLocaleString('en')} of others`, `beside ${million}`],
        baseline: gets(beside, few, `${POINTS}?limit=50`, CONNECTIONS),
        ours: list(''),
        atLeast: 0.9,
      })
    }
    if (parts.includes('create'))
      await compare({
        title: `records: created, ${WRITERS} at once`,
        names: ['POST /api/v1/contacts', 'POST /api/platform/resources/…'],
        baseline: posts(web, many, '/api/v1/contacts', turn => ({
          name: 'Ada Lovelace',
          email: `c${run}-${turn}@shop.example`,
          external_id: `c${run}-${turn}`,
        })),
        ours: posts(web, many, POINTS, turn => ({ ...values(turn), external_id: `r${run}-${turn}` })),
        atLeast: 0.6,
      })
    if (parts.includes('insert')) await insertTime(db, many)
  } finally {
    await db.close()
  }
}

const run = Date.now()
const gets = ({ address }: Server, { keys }: Shops, path: string, connections: number): Contender =>
  httpLoad(
    address,
    keys.map(key => get(path, key)),
    connections,
  )

function posts({ address }: Server, { keys }: Shops, path: string, body: (turn: number) => unknown): Contender {
  return httpLoad(address, turn => post(path, keys[turn % keys.length] as Key, body(turn)), WRITERS)
}

const INSERTS = 4_000
const TOGETHER = 200
const BARE_INSERTS = 20_000
const INSERT_ROUNDS = 5

/** The processor time of PostgreSQL for an insert, with five fields that have columns, and with five that have none: bare, and in creates by the verb. */
async function insertTime(db: ReturnType<typeof openDatabase>, { keys }: Shops): Promise<void> {
  const { tenant } = keys[0] as Key
  const caller: Caller = { tenant, actor: { type: 'cli' } }
  const timed = async (work: () => Promise<number>): Promise<number> => {
    const before = await serverMs({ db })
    const rows = await work()
    return (((await serverMs({ db })) - before) / rows) * 1000
  }
  const creates = (resource: string) => async () => {
    for (let done = 0; done < INSERTS; done += TOGETHER)
      await begin(db.sql, async tx => {
        for (let i = 0; i < TOGETHER; i++) await records.create(tx, caller, `acme:loyalty:${resource}`, { values: values(done + i) })
      })
    return INSERTS
  }
  // Records of one resource are inserted by turns with and without what the columns hold, so that nothing else differs.
  const bare = (kept: 'kept' | 'left out') => async () => {
    const column = (name: string): string => (kept === 'kept' ? name : 'null')
    await db.sql.unsafe(`
      insert into records (tenant_id, id, resource, fields, created_at, updated_at, e1, e2, e3, n1, n2, doc)
      select tenant_id, left(id, 4) || lpad((random() * 1e12)::bigint::text || right(id, 12), 26, '0'), resource, fields, now(), now(),
             ${['e1', 'e2', 'e3', 'n1', 'n2'].map(column).join(', ')}, doc
        from records, generate_series(1, 4) where tenant_id = '${tenant}' and fields = 5 and n1 is not null limit ${BARE_INSERTS}`)
    return BARE_INSERTS
  }
  console.log('\nrecords: processor time of PostgreSQL with five fields that have columns, and with none')
  await showRatio(
    'an insert alone',
    () => timed(bare('left out')),
    () => timed(bare('kept')),
  )
  await showRatio(
    'a create by the verb',
    () => timed(creates('plain')),
    () => timed(creates('points')),
  )
}

async function showRatio(what: string, none: () => Promise<number>, five: () => Promise<number>): Promise<void> {
  await none()
  await five()
  const rounds: [number, number][] = []
  for (let i = 0; i < INSERT_ROUNDS; i++) rounds.push([await none(), await five()])
  const ratio = median(rounds.map(([without, columns]) => columns / without))
  const [before, after] = [0, 1].map(side => median(rounds.map(each => each[side] as number)).toFixed(0))
  console.log(`  ${what.padEnd(22)} ${before} and ${after} µs: ${ratio.toFixed(2)} ×, required at most 4 ×: ${verdict(ratio <= 4)}`)
}
