// `shopdesk doctor`: is everything in order here, and if not, what is to be done?
import { lookup } from 'node:dns/promises'
import { type Opened, withPlace } from './command.ts'
import { readMigrations } from './postgres/migrate.ts'
import { openDatabase, type Sql } from './postgres/sql.ts'
import { decrypt, encrypt } from './secrets.ts'

interface Finding {
  ok: boolean
  text: string
}

type Check = (place: Opened & { sql: Sql }) => Promise<Finding>

const CHECKS: Record<string, Check> = { database, migrations, queue, clock, secrets, outbound }

/** Prints a line for each check; exit code 1 when one fails. */
export async function doctor(): Promise<void> {
  await withPlace(async place => {
    const db = openDatabase(place.databaseUrl, { name: 'shopdesk doctor', lanes: 1, pool: 1, statementTimeoutMs: 10_000 })
    try {
      for (const [name, check] of Object.entries(CHECKS)) {
        const { ok, text } = await check({ ...place, sql: db.sql }).catch((error: Error) => ({ ok: false, text: error.message }))
        console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)}  ${text}`)
        if (!ok) process.exitCode = 1
      }
    } finally {
      await db.close()
    }
  })
}

async function database({ sql, config }: Opened & { sql: Sql }): Promise<Finding> {
  const [row] = await sql`select current_setting('server_version_num')::int as version, current_setting('server_version') as name, pg_size_pretty(pg_database_size(current_database())) as size`
  const ok = row?.['version'] >= 180_000
  const where = config.databaseUrl ? 'DATABASE_URL' : `embedded under ${config.dataDir}`
  return { ok, text: `PostgreSQL ${row?.['name']} (${where}), ${row?.['size']}${ok ? '' : '; PostgreSQL 18 or newer is needed'}` }
}

async function migrations({ sql }: Opened & { sql: Sql }): Promise<Finding> {
  const known = (await readMigrations()).length
  const [row] = await sql`select coalesce(max(number), 0) as newest from migrations`
  const newest = Number(row?.['newest'])
  const advice = newest < known ? '; run: bin/shopdesk migrate' : newest > known ? '; start the newer program' : ''
  return { ok: newest === known, text: `schema ${newest} of ${known}${advice}` }
}

async function queue({ sql }: Opened & { sql: Sql }): Promise<Finding> {
  const [row] = await sql`
    select count(*) filter (where locked_at is null and run_at <= now()) as ready,
           coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)), 0)::int as oldest
      from graphile_worker._private_jobs`
  const [due] = await sql`select count(*) as rows from (select 1 from webhook_deliveries where state = 'pending' and due_at < now() - interval '1 minute' limit 10000) d`
  const ok = row?.['oldest'] < 60
  return { ok, text: `${row?.['ready']} jobs ready, the oldest for ${row?.['oldest']} s; ${due?.['rows']} deliveries overdue${ok ? '' : '; is a worker running? start one with: bin/shopdesk worker'}` }
}

async function clock({ sql }: Opened & { sql: Sql }): Promise<Finding> {
  const before = Date.now()
  const [row] = await sql`select extract(epoch from clock_timestamp()) * 1000 as now`
  const skew = Math.round(Number(row?.['now']) - (before + Date.now()) / 2)
  const ok = Math.abs(skew) < 5_000
  return { ok, text: `the database is ${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this machine${ok ? '' : '; synchronise the clocks: receivers refuse signatures 300 s off'}` }
}

async function secrets({ sql, keyring }: Opened & { sql: Sql }): Promise<Finding> {
  const ids = Object.keys(keyring)
  decrypt(keyring, encrypt(keyring, 'probe', 'doctor'), 'doctor')
  const rows = await sql`select distinct split_part(secret, '.', 1) as id from webhook_endpoints`
  const missing = rows.map(row => String(row['id'])).filter(id => !ids.includes(id))
  return missing.length > 0
    ? { ok: false, text: `secrets at rest need the key ${missing.join(', ')}; add it to SECRET_KEY as id:key` }
    : { ok: true, text: `encrypting with key ${ids[0]}${ids.length > 1 ? `, ${ids.length - 1} older` : ''}` }
}

async function outbound({ config }: Opened): Promise<Finding> {
  const mode = config.outbound.allowPrivate ? 'private and loopback targets are ALLOWED (OUTBOUND_ALLOW_PRIVATE)' : 'private targets are refused'
  const answers = await lookup('example.com').then(
    () => 'names resolve',
    () => 'names do not resolve: webhooks to public hosts will fail until DNS works',
  )
  return { ok: true, text: `${mode}; ${answers}` }
}
