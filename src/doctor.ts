// `shopdesk doctor`: checks whether everything is in order, and says what to do if not.
import { setTimeout as delay } from 'node:timers/promises'
import { diagnose as diagnoseFigures } from './analytics/diagnosis.ts'
import { diagnose as diagnoseCallbacks } from './callbacks/diagnosis.ts'
import { sealedTables } from './catalog.ts'
import { shownBy } from './channels/accounts/shown.ts'
import { diagnose as diagnoseChannels } from './channels/diagnosis.ts'
import { type CommandContext, withCommandContext } from './cli/command.ts'
import { addressFault } from './config.ts'
import { OperatorError } from './errors.ts'
import { UNTRUSTED_PROXY } from './ingress/connections/proxies.ts'
import { HELD_BACK_TOLD_SECONDS } from './limits/webhooks.ts'
import { faultOfAuthorities } from './outbound/authorities.ts'
import { createClient } from './outbound/client.ts'
import { createLookup } from './outbound/name-lookup.ts'
import { createTroubles } from './outbound/troubles.ts'
import { diagnose as diagnosePayments } from './payments/diagnosis.ts'
import * as diagnose from './postgres/diagnose.ts'
import { hasNoConnectionLeft } from './postgres/errors.ts'
import { madeByOthers, readMigrations } from './postgres/migrate.ts'
import { noticed } from './postgres/notices.ts'
import { requireSessions } from './postgres/pooler.ts'
import { keysInUse } from './postgres/sealed.ts'
import { openDatabase, type Sql } from './postgres/sql.ts'
import { livingPools, readyJobs, setAsideJobs } from './queue/liveness.ts'
import { decrypt, encrypt } from './secrets.ts'
import { setAside as setAsideWebhooks } from './webhooks/delivery/disable.ts'
import { countOverdue } from './webhooks/delivery/sweep.ts'

interface Finding {
  ok: boolean
  text: string
}

type Check = (context: CommandContext & { sql: Sql }) => Promise<Finding>

const CHECKS: Record<string, Check> = {
  address,
  database,
  migrations,
  workers,
  queue,
  'set aside': setAside,
  transactions,
  clock,
  secrets,
  outbound,
  channels,
  callbacks: ({ sql }) => diagnoseCallbacks(sql),
  payments: ({ sql }) => diagnosePayments(sql),
  figures: ({ sql }) => diagnoseFigures(sql),
  proxy,
}

const POSTGRES_18 = 180_000
/** Receivers refuse a signature 300 s off; well before that, something is wrong. */
const SKEW_MAX_MS = 5_000
const OLDEST_JOB_SECONDS = 60
/** A proxy that was seen longer ago may be gone; while there is one, it is noted every hour. */
const PROXY_SEEN_HOURS = 24

/** Prints a line for each check; exit code 1 when one fails. */
export async function doctor(): Promise<void> {
  await withCommandContext(async context => {
    const db = openDatabase(context.databaseUrl, { name: 'shopdesk doctor', lanes: 1, pool: 1, statementTimeoutMs: 10_000 })
    try {
      let away: string | undefined
      for (const [name, check] of Object.entries(CHECKS)) {
        const { ok, text } = await check({ ...context, sql: db.sql }).catch((error: Error) => {
          if (error.message === away) return { ok: false, text: 'not checked, for the database cannot be used' }
          if (check !== database) return { ok: false, text: error.message }
          away = error.message
          return {
            ok: false,
            text: error instanceof OperatorError ? away : `${away}; ${wayOut(error)}`,
          }
        })
        console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}  ${text}`)
        if (!ok) process.exitCode = 1
      }
    } finally {
      await db.close()
    }
  })
}

const wayOut = (error: Error): string =>
  hasNoConnectionLeft(error)
    ? 'end sessions that are not needed (pg_stat_activity has them), or raise max_connections'
    : 'start PostgreSQL where DATABASE_URL says, or correct it'

async function address({ config: { baseUrl } }: Parameters<Check>[0]): Promise<Finding> {
  const fault = addressFault(baseUrl)
  return { ok: fault === undefined, text: fault ?? baseUrl }
}

async function database({ sql, config, databaseUrl }: Parameters<Check>[0]): Promise<Finding> {
  await requireSessions(databaseUrl)
  const { version, name, size } = await diagnose.server(sql)
  const where = config.databaseUrl ? 'DATABASE_URL' : `embedded under ${config.dataDir}`
  const faults = [
    version < POSTGRES_18 && 'PostgreSQL 18 or newer is needed',
    !(await diagnose.takesChanges(sql)) && 'it takes no changes: it is a standby, or set to be read only',
  ].filter(Boolean)
  return { ok: faults.length === 0, text: [`PostgreSQL ${name} (${where}), ${size}`, ...faults].join('; ') }
}

async function migrations({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const [applied, files] = [await diagnose.migrationsApplied(sql), await readMigrations()]
  const strange = madeByOthers(applied, files)
  if (strange) return { ok: false, text: strange }
  const [newest, known] = [applied.at(-1)?.number ?? 0, files.length]
  const advice = newest < known ? '; run: bin/shopdesk migrate' : newest > known ? '; start the newer program' : ''
  return { ok: newest === known, text: `schema ${newest} of ${known}${advice}` }
}

async function workers({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const pools = await livingPools(sql)
  // Whether work waits for a worker is the finding of `queue`.
  if (pools.length === 0) return { ok: true, text: 'none is running; start one with: bin/shopdesk worker' }
  const each = pools.map(
    ({ host, pid, version, started_at, jobs, trouble }) =>
      `${host} pid ${pid} (version ${version}, since ${started_at.toISOString()}, ${jobs} jobs)${trouble ? ` PAUSES SENDING: ${trouble}` : ''}`,
  )
  return { ok: pools.every(({ trouble }) => !trouble), text: each.join('; ') }
}

async function queue({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const { jobs, oldest } = await readyJobs(sql)
  const overdue = await countOverdue(sql)
  const ok = oldest < OLDEST_JOB_SECONDS && overdue === 0
  const advice = ok ? '' : '; is a worker running? start one with: bin/shopdesk worker'
  return { ok, text: `${jobs} jobs ready, the oldest for ${oldest} s; ${overdue} deliveries overdue${advice}` }
}

/** The most that are shown of each kind. */
const SET_ASIDE_SHOWN = 5

// Worker after worker ended while running these: none of them is lost, and none goes on before an operator says so.
async function setAside({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const jobs = await setAsideJobs(sql, SET_ASIDE_SHOWN)
  const webhooks = await setAsideWebhooks(sql, SET_ASIDE_SHOWN)
  if (jobs.length + webhooks.length === 0) return { ok: true, text: 'nothing' }
  const each = [
    ...jobs.map(
      ({ id, task, payload }) =>
        `job ${id}, ${task} ${JSON.stringify(payload)}: bin/shopdesk job retry ${id}, or give it up: job drop ${id}`,
    ),
    ...webhooks.map(
      ({ tenant, id, reason }) => `${id}, disabled after ${reason}: bin/shopdesk webhook enable ${id} --missed send --tenant ${tenant}`,
    ),
  ]
  return { ok: false, text: `worker after worker ended while running these; fix the cause, then let each go on. ${each.join('; ')}` }
}

async function transactions({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const lasting = await lastingWriters(sql)
  if (lasting.length === 0) return { ok: true, text: 'none holds back events' }
  const each = lasting.map(({ who, end, seconds }) => {
    const time = seconds === null ? `more than ${HELD_BACK_TOLD_SECONDS} s` : `${seconds} s`
    return `${who} has written and not ended for ${time}; to end it: ${end}`
  })
  return { ok: false, text: `GET /events and webhooks that catch up wait for what has not ended: ${each.join(' | ')}` }
}

// A transaction of unknown age is looked for twice: one that is still there has lasted.
async function lastingWriters(sql: Sql): Promise<diagnose.Holder[]> {
  const found = await diagnose.writers(sql)
  const lasting = found.filter(({ seconds }) => seconds !== null && seconds >= HELD_BACK_TOLD_SECONDS)
  const unseen = new Set(found.filter(({ seconds }) => seconds === null).map(({ xid }) => xid))
  if (unseen.size === 0) return lasting
  await delay(HELD_BACK_TOLD_SECONDS * 1_000)
  return [...lasting, ...(await diagnose.writers(sql)).filter(({ xid, seconds }) => seconds === null && unseen.has(xid))]
}

async function clock({ sql }: Parameters<Check>[0]): Promise<Finding> {
  const before = Date.now()
  const skew = Math.round((await diagnose.clock(sql)) - (before + Date.now()) / 2)
  const ok = Math.abs(skew) < SKEW_MAX_MS
  const advice = ok ? '' : '; synchronise the clocks: receivers refuse signatures 300 s off'
  return { ok, text: `the database is ${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this machine${advice}` }
}

async function secrets({ sql, keyring }: Parameters<Check>[0]): Promise<Finding> {
  const ids = Object.keys(keyring)
  decrypt(keyring, encrypt(keyring, 'probe', 'doctor'), 'doctor')
  const used = new Map<string, string[]>()
  for (const table of sealedTables)
    for (const { key, rows } of await keysInUse(sql, table)) used.set(key, [...(used.get(key) ?? []), `${rows} ${table.what}`])
  const missing = [...used.keys()].filter(id => !ids.includes(id))
  if (missing.length > 0) return { ok: false, text: `secrets at rest need the key ${missing.join(', ')}; add it to SECRET_KEY as id:key` }
  const older = ids.slice(1).map(id => (used.has(id) ? `${used.get(id)?.join(' and ')} need ${id}` : `none needs ${id}`))
  const advice = ids.slice(1).some(id => used.has(id)) ? '; to let older keys go, run: bin/shopdesk secrets reencrypt' : ''
  return { ok: true, text: `encrypting with key ${[ids[0], ...older].join(', ')}${advice}` }
}

async function outbound({ config }: Parameters<Check>[0]): Promise<Finding> {
  const mode = config.outbound.allowPrivate
    ? 'private and loopback targets are ALLOWED (OUTBOUND_ALLOW_PRIVATE)'
    : 'private targets are refused'
  const names = await createLookup(
    {},
    createTroubles(),
  )('example.com').then(
    () => 'names resolve',
    ({ message }) => `names do not resolve (${message.replace(/\.$/, '')}): webhooks to public hosts will fail until DNS works`,
  )
  const fault = faultOfAuthorities()
  const certificates = fault === undefined ? '' : `; https receivers will fail, for ${fault}`
  return { ok: fault === undefined, text: `${mode}; ${names}${certificates}` }
}

async function channels({ sql, config, keyring }: Parameters<Check>[0]): Promise<Finding> {
  const client = createClient(config.outbound)
  try {
    return await diagnoseChannels(sql, { keyring, outbound: config.outbound, client, shown: shownBy(config) })
  } finally {
    await client.close()
  }
}

async function proxy({ sql, config }: Parameters<Check>[0]): Promise<Finding> {
  if (config.trustProxy !== false) return { ok: true, text: `TRUST_PROXY is ${String(config.trustProxy)}` }
  const notice = await noticed(sql, UNTRUSTED_PROXY, PROXY_SEEN_HOURS)
  if (!notice) return { ok: true, text: 'no request came by a proxy' }
  const seen = `requests come with ${notice.detail} (noted ${notice.seen_at.toISOString()}), and TRUST_PROXY is not set`
  // Not a failure: any caller may send the header.
  return { ok: true, text: `${seen}: if that is your proxy, all callers behind it share one address and its limits; set TRUST_PROXY to it` }
}
