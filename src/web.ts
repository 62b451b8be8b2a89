// The web process: the Fastify app of the catalog, listening.
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { keyAuthenticator } from './access/keys.ts'
import { sessionDoor } from './access/session-door.ts'
import { createSessionReader } from './access/session-reader.ts'
import { addressesAt } from './attachments/link.ts'
import { FILE_PLACES } from './attachments/serve.ts'
import { createSandbox } from './builder/sandbox/sandbox.ts'
import { callbackRoutes } from './callbacks/accept.ts'
import { createKeeping } from './callbacks/callbacks.ts'
import type { Kind } from './callbacks/kind.ts'
import { callbackKinds } from './catalog.ts'
import { createChatLive } from './chat/live.ts'
import { chatPages } from './chat/pages.ts'
import { chatRoutes } from './chat/routes.ts'
import { stopPages } from './chat/stop.ts'
import { addressFault, type Config } from './config.ts'
import { docsRoutes } from './docs/routes.ts'
import { OperatorError } from './errors.ts'
import { createDownloads } from './exports/downloads.ts'
import { createProgress } from './imports/progress.ts'
import { createAddressLimiter } from './ingress/address-limit.ts'
import { PATIENCE, type Patience } from './ingress/connections/listener.ts'
import { createLongReads } from './ingress/long-reads.ts'
import { mountAgentServer } from './ingress/mcp/mount.ts'
import { assetRoutes, pageRoutes, refuseWithPage } from './ingress/page/routes.ts'
import { probeRoutes } from './ingress/probes.ts'
import { buildServer } from './ingress/server.ts'
import { prepare } from './ingress/validate.ts'
import { READS_PER_INBOUND } from './limits/callbacks.ts'
import { EXPORT_POOL, EXPORT_STATEMENT_MS } from './limits/exports.ts'
import { SHUTDOWN_GRACE_MS } from './limits/queue.ts'
import { ANONYMOUS_PER_MINUTE } from './limits/rate.ts'
import { REQUEST_STATEMENT_MS } from './limits/requests.ts'
import { createLive } from './live/live.ts'
import { mountOAuth } from './oauth/mount.ts'
import type { OutboundClient } from './outbound/client.ts'
import { awaitDatabase, patiently } from './postgres/await-database.ts'
import { keepTime } from './postgres/keep-time.ts'
import { readiness } from './postgres/readiness.ts'
import { type Database, openDatabase, openWalks } from './postgres/sql.ts'
import { setReactions } from './reactions.ts'
import { restRoutes } from './rest.ts'
import type { Keyring } from './secrets.ts'
import { createTrials } from './skills/trials.ts'
import { createUses } from './uses.ts'
import { wakeBehindChanges } from './waking.ts'

export interface Web {
  /** Where it listens, e.g. http://127.0.0.1:3000 */
  address: string
  app: FastifyInstance
  /** Compiles the validators of all routes, between requests: else the first request of each route would hold up the others. */
  warmUp(): Promise<void>
  /** Answers the requests under way, then closes everything. */
  close(): Promise<void>
}

/** What web and worker are started with. */
export interface ProcessContext {
  config: Config
  databaseUrl: string
  keyring: Keyring
  /** PATIENCE unless given. */
  patience?: Patience
  /** Ends the wait for a database that is not ready. */
  interrupted?: AbortSignal
}

/**
 * @param kinds of callbacks. Default: those of the catalog
 * @throws {OperatorError} when the database is not ready for this program, or the port is taken
 */
export async function startWeb(
  { config, databaseUrl, keyring, patience = PATIENCE, interrupted }: ProcessContext,
  kinds: Kind[] = callbackKinds({ keyring }),
): Promise<Web> {
  await awaitDatabase(databaseUrl, interrupted)
  const log = pino({ level: config.logLevel, base: { process: 'web' } })
  const fault = addressFault(config.baseUrl)
  if (fault !== undefined) log.warn(fault)
  const db = openDatabase(databaseUrl, { name: 'shopdesk web', statementTimeoutMs: REQUEST_STATEMENT_MS })
  const time = await patiently(() => keepTime(db.sql, log), interrupted)
  setReactions()
  addressesAt(config.baseUrl)
  const woken = wakeBehindChanges(db, log)
  const exporting = openWalks(databaseUrl, { name: 'shopdesk web exports', pool: EXPORT_POOL, statementTimeoutMs: EXPORT_STATEMENT_MS })
  const downloads = createDownloads({ overMs: patience.paceMs })
  const files = createDownloads({ overMs: patience.paceMs }, FILE_PLACES)
  const guestFiles = createDownloads({ overMs: patience.paceMs }, FILE_PLACES)
  const progress = createProgress()
  const live = createLive(db.listLanes, databaseUrl, log)
  const sandbox = createSandbox()
  let client: OutboundClient | undefined
  // Few processes of web ever leave the network: for what people have looked up, and for tests of skills.
  const outbound = async (): Promise<OutboundClient> => {
    const { createClient } = await import('./outbound/client.ts')
    client ??= createClient(config.outbound)
    return client
  }
  const trials = createTrials(async () => ({ sql: db.sql, keyring, client: await outbound(), timeoutMs: config.skills.timeoutMs }))
  const { routes, document } = restRoutes(
    config,
    { keyring, outbound: config.outbound, quotas: config.quotas },
    {
      sql: exporting.sql,
      downloads,
      progress,
      live,
      attachments: { sql: db.sql, files },
      links: { sql: db.sql, files: guestFiles },
      sandbox,
      trials,
    },
  )
  const keeping = createKeeping(db, err =>
    log.error({ err }, 'callbacks are kept, but their sources could not be woken; the sweep will do it'),
  )
  const limits = { channel: createAddressLimiter(config.inbound.channel), payment: createAddressLimiter(config.inbound.payment) }
  const callbacks = callbackRoutes(db.pointLane, kinds, keeping, limits)
  const guests = chatRoutes({
    sql: db.sql,
    keyring,
    keep: keeping.keep,
    baseUrl: config.baseUrl,
    inbound: limits.channel,
    reading: createAddressLimiter(READS_PER_INBOUND * config.inbound.channel),
    live: createChatLive({ sql: db.listLanes, keyring, ...live }),
    files: guestFiles,
    storedBytes: config.quotas.storedBytes,
  })
  const uses = createUses(db.sql, log)
  const longReads = createLongReads(db)
  const app = buildServer({
    config,
    db,
    log,
    authenticator: keyAuthenticator(db.pointLane, 'rest', uses.keys.note),
    routes,
    longReads,
    callbacks,
    guests,
    sessions: sessionDoor({ sql: db.pointLane, baseUrl: config.baseUrl, keyring, used: uses.sessions.note }),
    refuseWithPage: refuseWithPage(config.baseUrl),
    patience,
  })
  assetRoutes(app)
  pageRoutes(app, {
    baseUrl: config.baseUrl,
    docsUrl: config.docsUrl,
    keyring,
    sql: db.sql,
    session: createSessionReader({ sql: db.pointLane, baseUrl: config.baseUrl, used: uses.sessions.note }),
    roots: ['/sign-in', '/sign-out', '/forgot', '/reset', '/invite', '/dashboard', '/oauth/authorize'],
    open: async () => {
      const [{ openDashboard }, { createClient }] = await Promise.all([import('./dashboard.ts'), import('./outbound/client.ts')])
      const outbound = () => {
        client ??= createClient(config.outbound)
        return client
      }
      return openDashboard(
        { sql: db.sql, baseUrl: config.baseUrl, sendsMail: config.mail !== undefined },
        { sql: db.sql, baseUrl: config.baseUrl, outbound, allowPrivate: config.outbound.allowPrivate, appSchemes: config.oauth.appSchemes },
      )
    },
  })
  mountAgentServer(app, async () => {
    const { openAgentServer } = await import('./agent-server.ts')
    return openAgentServer({ config, db, log, longReads, recognise: app.recognise, used: uses.keys.note, usedGrant: uses.grants.note })
  })
  mountOAuth(app, async () => {
    const { oauthHttp } = await import('./oauth/http.ts')
    const { appSchemes, registrationsPerHour } = config.oauth
    return oauthHttp({ sql: db.sql, keyring, baseUrl: config.baseUrl, appSchemes, registrationsPerHour, log })
  })
  docsRoutes(app, { document, baseUrl: config.baseUrl, docsUrl: config.docsUrl })
  chatPages(app, config)
  stopPages(app, { sql: db.sql, place: guests.place, limit: createAddressLimiter(ANONYMOUS_PER_MINUTE) })
  probeRoutes(app, readiness(db.listLanes))
  async function close(): Promise<void> {
    // A download may take longer than a stop may.
    progress.end()
    live.end()
    const late = setTimeout(() => {
      downloads.abort()
      files.abort()
      guestFiles.abort()
    }, SHUTDOWN_GRACE_MS)
    await app.close()
    await client?.close()
    await sandbox.close()
    clearTimeout(late)
    await live.close()
    await Promise.all([woken.all(), keeping.allAwake(), time.stop(), uses.stop()])
    await Promise.all([db.close(), exporting.close()])
  }
  async function warmUp(): Promise<void> {
    for (const route of routes) {
      await immediate()
      const schema = 'query' in route ? route.query : 'body' in route ? route.body : undefined
      if (schema) prepare(schema)
    }
    // Compiling leaves as much behind as lives, by which V8 would measure how far the heap may grow.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  return { address: await bind(app, config, db), app, warmUp, close }
}

async function bind(app: FastifyInstance, { host, port }: Config, db: Database): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    await app.close()
    await db.close()
    const code = (error as { code?: string }).code
    if (code === 'EADDRINUSE')
      throw new OperatorError(`PORT ${port} is in use on ${host}; stop what listens there, or set PORT to another.`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(`HOST ${host}, PORT ${port} cannot be listened on: ${code}.`)
    throw error
  }
}
