// `npm test`: one database server for the run, a migrated template in it, then node:test over the files. Arguments are node's own: files and flags.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import postgres from 'postgres'
import { childEnvironment } from '../../src/config.ts'
import { type Embedded, openTemporary, removeAbandoned, removeTemporary, temporaryFolder } from '../../src/postgres/embedded/embedded.ts'
import { TEMPLATE } from './database.ts'
import { groupsOf, writeScripts } from './groups.ts'
import { prepare, putPrepared } from './prepared.ts'

/** A test that hangs fails by its name, before CI or a developer gives up. The longest one takes half a minute, and many times that on a busy machine. */
const TEST_MAX_MS = 240_000
/**
 * So does a file whose tests are done and whose process does not end: then the run is interrupted, which names the files that are left. A slow machine has
 * taken a quarter of an hour for all of them.
 */
const RUN_MAX_MS = 40 * 60_000
/** Some parents never see to the dead that they inherit. */
const REAP_MAX_MS = 2_000
/** Files at once, at most: each has up to thirty sessions of the database's three hundred. */
const CONCURRENCY_MAX = 8
/** Most of a file's time is waiting, for PostgreSQL and for processes: two files a core left a fifth of the cores' time. */
const CONCURRENCY = Math.min(Math.ceil(2.5 * availableParallelism()), CONCURRENCY_MAX)
/** Compiled code of all files' imports, which every file's process would compile anew: half a second each. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))
/** How the outcome of a file is told. A test that spoils its process's standard output takes those of all tests behind it along. */
const TOLD = /^[✔✖﹣] (\S+\.ts) \(/
/** The summary, and what may be the beginning of a line. */
const LINES_KEPT = 10
const SHOPDESK = fileURLToPath(new URL('../../bin/shopdesk', import.meta.url))
/** A command of each kind of process that has a bundle. */
const KINDS = [['web', '--help'], ['worker', '--help'], ['--version']]
/** For all processes that run files of tests. */
const CURRENT_TEST = new URL('current-test.ts', import.meta.url).href

const args = process.argv.slice(2)
const [prepared] = await Promise.all([prepare(), ...(args.length === 0 ? KINDS.map(bundled) : [])])
const server = await openTemporary({}, putPrepared(temporaryFolder()))
let code = 1
try {
  await makeTemplate(server.url)
  code = await runTests(args, server)
} catch (error) {
  console.error(error)
} finally {
  await server.close()
  removeTemporary(prepared)
}
process.exit(code)

async function makeTemplate(url: string): Promise<void> {
  // From elsewhere, for a database can only be copied while no session is connected to it.
  const sql = postgres(new URL('postgres', url).href, { max: 1, onnotice: () => {} })
  const made = new URL(url).pathname.slice(1)
  await sql.unsafe(`create database ${TEMPLATE} template ${made} strategy file_copy is_template true`)
  // Now no session may be connected to the template.
  await sql.unsafe(`alter database ${TEMPLATE} with allow_connections false`)
  await sql.end()
}

// Before the first files start it, many at once, which would wait for the bundle.
async function bundled(args: string[]): Promise<void> {
  await once(spawn(SHOPDESK, args, { stdio: 'ignore' }), 'close')
}

async function runTests(args: string[], { url, serviceUrl }: Embedded): Promise<number> {
  const named = args.filter(arg => arg.endsWith('.ts'))
  const passed = args.filter(arg => !named.includes(arg))
  const folder = mkdtempSync(join(tmpdir(), 'shopdesk-tests-'))
  const groups = groupsOf(named)
  // Flags are for files as they are: a pattern of names would leave out the group, and with it what it names.
  const files = passed.length > 0 ? groups.flat() : writeScripts(groups, folder)
  const flags = [
    `--import=${CURRENT_TEST}`,
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${TEST_MAX_MS}`,
  ]
  const cache = process.env['NODE_COMPILE_CACHE'] ?? COMPILED
  const env = childEnvironment({
    NODE_COMPILE_CACHE: cache,
    TEST_DATABASE_URL: url,
    TEST_SERVICE_URL: serviceUrl,
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  })
  // A group of its own, so that an interrupted run can end all that its files began.
  const child = spawn(process.execPath, [...flags, ...passed, ...files], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let interrupted = false
  const interrupt = (signal: NodeJS.Signals = 'SIGTERM') => {
    interrupted = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt(signal))
  setTimeout(() => {
    console.error(`The run is interrupted, for it has taken ${RUN_MAX_MS / 60_000} minutes.`)
    interrupt()
  }, RUN_MAX_MS).unref()
  // The reader has gone (`| head`): nothing more to run for, but the server must still be stopped.
  process.stdout.on('error', () => interrupt())
  let end = ''
  // Of flags only some tests may run, and their files are then not told of.
  const untold = new Set(passed.length > 0 ? [] : groups.flat())
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    const lines = (end + chunk).split('\n')
    for (const line of lines) untold.delete(TOLD.exec(stripVTControlCharacters(line))?.[1] ?? '')
    end = lines.slice(-LINES_KEPT).join('\n')
  })
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  rmSync(folder, { recursive: true })
  if (interrupted) await endWhatIsLeft(child.pid as number)
  if (signal) return 128 + constants.signals[signal]
  if (exitCode === 0 && untold.size > 0) {
    console.error(`Of these files the outcome was not told, which counts as a failure: ${[...untold].join(', ')}.`)
    return 1
  }
  if (exitCode || !/(ℹ|#) tests 0\b/.test(end)) return exitCode ?? 1
  console.error('No test ran, which counts as a failure.')
  return 1
}

// Files that were cut short leave the processes that they started, and the databases of those.
async function endWhatIsLeft(group: number): Promise<void> {
  // The dead are in their group until their new parent has seen to them, and a database is not abandoned before its process is gone.
  for (const deadline = Date.now() + REAP_MAX_MS; isThere(group) && Date.now() < deadline; ) await delay(20)
  await removeAbandoned()
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 'SIGKILL')
  } catch {
    return false
  }
}
