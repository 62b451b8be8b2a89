// `shopdesk start`: everything as one process tree, stopped in the reverse order of its start, PostgreSQL last.
import { type Config, childEnvironment } from './config.ts'
import { prepareDemo } from './demo/demo.ts'
import { OperatorError } from './errors.ts'
import { type Embedded, openEmbedded, SERVICE_ROLE } from './postgres/embedded/embedded.ts'
import { migrate } from './postgres/migrate.ts'
import { runUntilSignal } from './process.ts'
import { ownSecretKey } from './secret-key.ts'
import { ChildFailed, KILL_AFTER_MS, keepRunning, shopdesk } from './supervise.ts'

/** The children first, then the checkpoint of a database that was busy. */
const STOP_LIMIT_MS = KILL_AFTER_MS + 30_000

type Closer = () => Promise<unknown>

/**
 * Runs PostgreSQL (unless DATABASE_URL is set), migrations, web and worker until a signal.
 * @throws {OperatorError} for an error that an operator can fix, once everything has stopped again
 */
export async function start(config: Config): Promise<void> {
  const closers: Closer[] = []
  const stopping = new AbortController()
  const started = bringUp(config, closers, stopping.signal)
  let down: Promise<void> | undefined
  const takeDown = (): Promise<void> => {
    stopping.abort()
    down ??= closeAll(started, closers)
    return down
  }
  const stopped = runUntilSignal(takeDown, STOP_LIMIT_MS)
  try {
    const announce = await started
    await announce()
  } catch (error) {
    // The start was interrupted: the signal's handler exits.
    if (stopping.signal.aborted) return stopped
    await takeDown()
    // The child has said why.
    if (error instanceof ChildFailed) process.exit(1)
    throw error
  }
  return stopped
}

async function closeAll(started: Promise<unknown>, closers: Closer[]): Promise<void> {
  // Waits for the part that was being opened when the signal came.
  await started.catch(() => {})
  const errors: unknown[] = []
  // What fails to stop must not leave the rest running, least of all PostgreSQL, which nothing else would stop.
  for (const close of closers.toReversed()) await close().catch(error => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

async function closeDatabase({ close }: Embedded): Promise<void> {
  if (await close()) console.log('PostgreSQL goes on, for another command uses it, and stops with that.')
}

/** @returns waits for web and worker to be ready, and says so */
async function bringUp(config: Config, closers: Closer[], stopping: AbortSignal): Promise<() => Promise<void>> {
  if (config.databaseUrl && !config.keyring)
    throw new OperatorError('SECRET_KEY is not set; with DATABASE_URL it must be, as 32 bytes in 64 hex digits or base64.')
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config)
  if (embedded) closers.push(() => closeDatabase(embedded))
  stopping.throwIfAborted()
  const databaseUrl = embedded?.serviceUrl ?? (config.databaseUrl as string)
  await (embedded ? migrate(embedded.url, SERVICE_ROLE, config.dataDir) : migrate(databaseUrl))
  stopping.throwIfAborted()
  const secret = config.keyring ? { text: undefined, keyring: config.keyring } : ownSecretKey(config.dataDir)
  const demo = embedded && (await prepareDemo({ config, databaseUrl, keyring: secret.keyring }))
  if (demo) closers.push(demo.close)
  stopping.throwIfAborted()
  // HOST is handed on because its default depends on DATABASE_URL, which the children always have.
  const settings = {
    DATABASE_URL: databaseUrl,
    HOST: config.host,
    PORT: String(config.port),
    ...(secret.text && { SECRET_KEY: secret.text }),
  }
  const environment = childEnvironment({ ...demo?.env, ...settings })
  const [web, worker] = [keepRunning(shopdesk('web'), environment), keepRunning(shopdesk('worker'), environment)]
  closers.push(() => Promise.all([web.close(), worker.close()]))
  return async () => {
    const [address] = await Promise.all([web.ready, worker.ready, demo?.ready])
    console.log(`Shopdesk is listening on ${address}`)
    for (const line of demo?.lines(String(address)) ?? []) console.log(line)
  }
}
