// The worker process: a pool of Graphile Worker running tasks/, and the recurring work of schedule.ts.
import { type Logger, pino } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { provideResets } from './access/task.ts'
import { provideAnalytics } from './analytics/task.ts'
import { hasApps } from './apps/installed.ts'
import { file } from './attachments/attachments.ts'
import { addressesAt, signedUrl } from './attachments/link.ts'
import { provideFetch } from './attachments/task.ts'
import type { Kind } from './callbacks/kind.ts'
import { provideTurns } from './callbacks/task.ts'
import { sourceTold } from './callbacks/told.ts'
import { callbackKinds, eventTypes, exportables } from './catalog.ts'
import { shownBy } from './channels/accounts/shown.ts'
import { createLocate } from './channels/files.ts'
import { createSending } from './channels/sending/engine.ts'
import { providePlatforms, provideSending } from './channels/task.ts'
import { provideChatMails } from './chat/task.ts'
import { provideContacts } from './contacts/task.ts'
import { fileChanged } from './conversations/files.ts'
import { provideWrite } from './exports/task.ts'
import { createMatching } from './flows/matching/matching.ts'
import { createRunning } from './flows/running/engine.ts'
import { provideFlows } from './flows/task.ts'
import { isMatching } from './flows/waking/wake.ts'
import { isId } from './ids.ts'
import { provideApply } from './imports/task.ts'
import { EXPORT_POOL, EXPORT_STATEMENT_MS } from './limits/exports.ts'
import { SHUTDOWN_GRACE_MS } from './limits/queue.ts'
import { provideMail } from './mail/task.ts'
import { type ClientOptions, createClient } from './outbound/client.ts'
import type { Tell } from './outbound/troubles.ts'
import { awaitDatabase, patiently } from './postgres/await-database.ts'
import { keepTime } from './postgres/keep-time.ts'
import { openDatabase, openWalks } from './postgres/sql.ts'
import { createCompany } from './queue/company.ts'
import { keepPool } from './queue/pool.ts'
import { createSlots } from './queue/slots.ts'
import { standUp } from './queue/standing.ts'
import { loadTasks } from './queue/tasks.ts'
import { toldOf } from './queue/tell.ts'
import { setReactions } from './reactions.ts'
import { startSchedule } from './schedule.ts'
import { call } from './skills/call.ts'
import { ready } from './skills/compilers.ts'
import { createPlaces } from './skills/places.ts'
import { wakeBehindChanges } from './waking.ts'
import type { ProcessContext } from './web.ts'
import { createBodies } from './webhooks/delivery/bodies.ts'
import { createDeliver } from './webhooks/delivery/engine.ts'
import { provideDeliver, provideRecovery } from './webhooks/task.ts'

export interface Worker {
  /** Resolves with the reason when this worker cannot work any more but a new process could. Close it then. */
  broken: Promise<string>
  /** Where apps are installed, compiles what the first call of a skill would wait for, and all other work with it. */
  warmUp(): Promise<void>
  /** Claims nothing more, finishes the work under way, releases the rest. */
  close(): Promise<void>
}

/**
 * @param network options of the outbound client. Default: the system's network
 * @param kinds of callbacks. Default: those of the catalog
 * @throws {OperatorError} when the database is not ready for this program
 */
export async function startWorker(
  { config, databaseUrl, keyring, interrupted }: ProcessContext,
  network: ClientOptions = {},
  kinds: Kind[] = callbackKinds({ keyring }),
): Promise<Worker> {
  await awaitDatabase(databaseUrl, interrupted)
  const log = pino({ level: config.logLevel, base: { process: 'worker' } })
  const db = openDatabase(databaseUrl, { name: 'shopdesk worker', statementTimeoutMs: 60_000 })
  const time = await patiently(() => keepTime(db.sql, log), interrupted)
  const client = createClient(config.outbound, { ...network, tell: telling(log) })
  setReactions()
  addressesAt(config.baseUrl)
  const woken = wakeBehindChanges(db, log)
  const stopping = new AbortController()
  const standing = await patiently(() => standUp(databaseUrl, log, stopping.signal), interrupted)
  const company = createCompany()
  const slots = createSlots(config.workerConcurrency, stopping.signal, err =>
    log.error({ err }, 'a slice ended with an error; its work goes on when the database answers, or else when its lease has lapsed'),
  )
  const bodies = createBodies(db.sql)
  const { deliver, told } = createDeliver({
    db,
    queue: woken.queue,
    client,
    keyring,
    ...config.webhooks,
    slots,
    bodies,
    standing,
    company,
    stopping: stopping.signal,
    tellOfDropped: dropped => log.error({ dropped }, 'deliveries were dropped: their events are gone, so there is nothing to send'),
  })
  provideDeliver(deliver)
  const sending = createSending({
    sql: db.sql,
    client,
    keyring,
    ...config.channels,
    slots,
    standing,
    stopping: stopping.signal,
    queue: woken.queueChannels,
    files: { open: ref => file(db.sql, ref), link: ({ tenant, id }) => signedUrl(keyring, tenant, id) },
    shown: shownBy(config),
  })
  provideSending(sending.send)
  const matching = createMatching({ sql: db.sql, triggers: eventTypes, stopping: stopping.signal, log })
  const calling = {
    sql: db.sql,
    client,
    keyring,
    standing,
    stopping: stopping.signal,
    places: createPlaces(Math.ceil(config.workerConcurrency / 2)),
    ...config.skills,
  }
  const running = createRunning({
    sql: db.sql,
    keyring,
    triggers: eventTypes,
    call: asked => call(calling, asked),
    slots,
    standing,
    stopping: stopping.signal,
    log,
  })
  provideFlows({ matching, running })
  provideRecovery({ db, client, keyring, timeoutMs: config.webhooks.timeoutMs, bodies, standing, stopping: stopping.signal })
  const exporting = openWalks(databaseUrl, { name: 'shopdesk worker exports', pool: EXPORT_POOL, statementTimeoutMs: EXPORT_STATEMENT_MS })
  provideWrite({ sql: exporting.sql, nouns: exportables, storedBytes: config.quotas.storedBytes, stopping: stopping.signal })
  provideChatMails({ sql: db.sql, baseUrl: config.baseUrl, mailsOfWorkspace: config.quotas.chatMails })
  provideContacts({ sql: db.sql })
  provideAnalytics({ sql: db.sql })
  provideResets({ sql: db.sql, baseUrl: config.baseUrl })
  provideFetch({
    sql: db.sql,
    client,
    locate: createLocate(db.sql, { keyring, client }),
    changed: fileChanged,
    maxBytes: config.attachmentMaxBytes,
    storedBytes: config.quotas.storedBytes,
    standing,
    stopping: stopping.signal,
  })
  provideApply({ sql: db.sql, standing, stopping: stopping.signal })
  providePlatforms({ sql: db.sql, client, keyring }, config.workerConcurrency)
  const sources = provideTurns({ sql: db.sql, kinds, standing, stopping: stopping.signal, log })
  // Imported only where mail is sent: the library takes 5 MB.
  provideMail({ sql: db.sql, standing, mailer: config.mail && (await import('./outbound/mail.ts')).createMailer(config.mail), log })
  const tasks = await loadTasks({ sql: db.sql, standing, company, log })
  const keeping = {
    databaseUrl,
    standing,
    tasks,
    concurrency: config.workerConcurrency,
    told: (message: string) => {
      for (const row of toldOf(message)) {
        const source = sourceTold(row)
        if (source) sources.told(source)
        else if (isId('chn', row.id)) sending.told(row)
        else if (isMatching(row)) matching.told(row.tenant)
        else if (isId('app', row.id)) running.told(row)
        else told(row)
      }
    },
    version: packageJson.version,
    trouble: client.trouble,
    log,
  }
  const pool = await patiently(() => keepPool(keeping), interrupted)
  const schedule = startSchedule(databaseUrl, log)
  return {
    broken: pool.broken,
    async warmUp() {
      // Where the database is away, the first call compiles it.
      if (await hasApps(db.sql).catch(() => false)) await ready()
    },
    async close() {
      stopping.abort()
      client.stop()
      // A request in flight after the grace ends as aborted: it is not recorded, so another worker sends it again.
      const late = setTimeout(() => void client.close(), SHUTDOWN_GRACE_MS)
      await Promise.all([schedule.stop(), time.stop(), pool.close().then(slots.ended), sources.ended(), matching.ended()])
      clearTimeout(late)
      await client.close()
      await standing.close()
      await Promise.all([woken.all(), running.ended()])
      await Promise.all([db.close(), exporting.close()])
    },
  }
}

const telling =
  (log: Logger): Tell =>
  (trouble, text, over) =>
    over === undefined
      ? log.error({ trouble }, `sending is paused: ${text}; this counts against no webhook, and deliveries that are due are kept`)
      : log.warn({ trouble, seconds: Math.round(over) }, `sending goes on; it was paused because ${text}`)
