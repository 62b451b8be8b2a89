// `shopdesk import`: stores a file and applies it in this process, so it needs neither web nor worker. If a worker runs, it may apply the import
// instead; either process goes on where the other was killed.

import type { Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Argument, type Command, Option } from 'commander'
import type { Caller } from '../caller.ts'
import type { Connect } from '../cli/command.ts'
import { whenInterrupted } from '../cli/ending.ts'
import { printableLine } from '../cli/printable.ts'
import { type Display, type Progress, withProgress } from '../cli/progress.ts'
import { OperatorError } from '../errors.ts'
import type { Ref } from '../ids.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { begin, openDatabase, type Sql } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { UNWATCHED } from '../queue/standing.ts'
import { callerOf, inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { applySlice } from './apply.ts'
import * as errors from './error-store.ts'
import { DELIMITERS, type Delimiter } from './file/csv.ts'
import { ENCODINGS, type Encoding } from './file/encoding.ts'
import { cancel, upload } from './imports.ts'
import { type Format, type Import, MODES, type Mode, RESOURCES, type Resource } from './schema.ts'
import * as store from './store.ts'

interface Options extends TenantOptions {
  mode: Mode
  dryRun?: boolean
  events: boolean
  format?: Format
  delimiter?: Delimiter
  encoding?: Encoding
}

export function commands(program: Command): void {
  tenantCommand(program, 'import', 'a file of products, orders or contacts: CSV or NDJSON')
    .addArgument(new Argument('<resource>', 'what its rows are').choices(RESOURCES))
    .argument('<file>', 'read as CSV if its name ends in .csv or .tsv, else as NDJSON')
    .addOption(
      new Option('--mode <mode>', 'upsert changes what has the row’s id, external_id, sku, e-mail address or phone')
        .choices(MODES)
        .default('create'),
    )
    .option('--dry-run', 'check every row as the import would, and change nothing')
    .option('--no-events', 'emit no events for the rows written')
    .addOption(new Option('--format <format>', 'whatever the name says').choices(['ndjson', 'csv']))
    .addOption(new Option('--delimiter <name>', 'of CSV; told from the header unless given').choices(Object.keys(DELIMITERS)))
    .addOption(new Option('--encoding <name>', 'UTF-8 unless given').choices(ENCODINGS))
    .action((resource: Resource, file: string, options: Options) =>
      inTenant(options.tenant, ({ sql, config }) => run(sql, resource, file, options, config.quotas.storedBytes), { connect }),
    )
}

const connect: Connect = databaseUrl => openDatabase(databaseUrl, { name: 'shopdesk import', lanes: 0, pool: 6 })

async function run(sql: Sql, resource: Resource, file: string, options: Options, storedBytes: number): Promise<void> {
  const caller = callerOf(options.tenant)
  const stopping = whenInterrupted()
  const { ref, done } = await withProgress({ json: options.json, elsewhere: 'now and then' }, async ({ show }) => {
    const ref = await send(sql, caller, resource, file, options, storedBytes, stopping, show)
    const done = await applied(sql, caller, ref, stopping, now => show(progressOf(resource, now)))
    return { ref, done }
  })
  const kept = await errors.list(sql, ref, undefined, SHOWN_ERRORS, ',')
  report(done, JSON.parse(`[${kept.data}]`) as RowError[], options)
  if (done.status !== 'completed' || done.failed > 0) process.exitCode = 1
}

const progressOf = (what: string, { rows_read, rows_total, rows_per_second, failed }: Import): Progress => ({
  done: rows_read,
  total: rows_total ?? rows_read,
  what,
  perSecond: rows_per_second,
  failed,
})

/** How many errors are shown; all can be downloaded. */
const SHOWN_ERRORS = 50

interface RowError {
  line: number
  field: string
  message: string
}

async function send(
  sql: Sql,
  caller: Caller,
  resource: Resource,
  file: string,
  { mode, dryRun = false, events, format, delimiter, encoding }: Options,
  storedBytes: number,
  stopping: AbortSignal,
  show: Display['show'],
): Promise<Ref> {
  // Taken before the upload begins: the file must not change from here on.
  const before = await stat(file).catch(error => unreadable(file, error))
  const asked = {
    resource,
    format: format ?? (/\.(csv|tsv)$/i.test(file) ? 'csv' : 'ndjson'),
    mode,
    dry_run: dryRun,
    events,
    bytes: bytesOf(file, before, stopping, show),
    ...(delimiter && { delimiter }),
    ...(encoding && { encoding }),
  } as const
  const id = await upload(sql, caller, asked, storedBytes, async (_tx, id) => id).catch(error => {
    // The problem's fields are columns of the file, not options of the command.
    throw error instanceof Problem ? new OperatorError(error.message) : error
  })
  return { tenant: caller.tenant, id }
}

/** @throws {OperatorError} when the file cannot be read, or has changed by the end */
async function* bytesOf(path: string, before: Stats, stopping: AbortSignal, show: Display['show']): AsyncGenerator<Buffer> {
  const file = await open(path).catch(error => unreadable(path, error))
  try {
    let length = 0
    for await (const piece of piecesOf(path, file)) {
      if (stopping.aborted) throw new OperatorError('Cancelled while the file was read; nothing was imported.')
      length += piece.length
      show({ done: kilobytes(length), total: kilobytes(Math.max(length, before.size)), what: 'KB read' })
      yield piece
    }
    const after = await stat(path).catch(error => unreadable(path, error))
    const same = after.mtimeMs === before.mtimeMs && after.size === before.size && (!after.isFile() || length === after.size)
    if (!same) throw new OperatorError(`${path} changed while it was read; nothing was imported. Try again when it is at rest.`)
  } finally {
    await file.close()
  }
}

/** A folder opens as a file does, and a disk may fail behind the beginning. */
async function* piecesOf(path: string, file: FileHandle): AsyncGenerator<Buffer> {
  try {
    yield* file.createReadStream({ highWaterMark: 64 * 1024, autoClose: false }) as AsyncIterable<Buffer>
  } catch (error) {
    unreadable(path, error)
  }
}

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1000)

function unreadable(path: string, error: unknown): never {
  throw new OperatorError(`${path} cannot be read: ${(error as { code?: string }).code}.`)
}

async function applied(sql: Sql, caller: Caller, ref: Ref, stopping: AbortSignal, show: (now: Import) => void): Promise<Import> {
  const over = new AbortController()
  // The lease decides which process applies: this one, or a worker that was faster.
  const applying = (async () => {
    while (!over.signal.aborted) {
      await applySlice({ sql, standing: UNWATCHED, stopping }, ref, Number.POSITIVE_INFINITY).catch(error => {
        if (!isUnavailable(error)) throw error
      })
      await delay(POLL_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  applying.catch(() => over.abort())
  for (;;) {
    if (stopping.aborted) await begin(sql, tx => cancel(tx, caller, ref.id))
    const now = await current(sql, ref)
    show(now)
    if (['completed', 'failed', 'cancelled'].includes(now.status) || over.signal.aborted) {
      over.abort()
      await applying
      return now
    }
    await delay(POLL_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

const POLL_MS = 200

async function current(sql: Sql, ref: Ref): Promise<Import> {
  return JSON.parse((await store.findJson(sql, ref.tenant, ref.id)) as string) as Import
}

function report(done: Import, rowErrors: RowError[], { json, dryRun }: Options): void {
  if (json) {
    console.log(JSON.stringify({ ...done, errors: rowErrors }))
    return
  }
  for (const { line, field, message } of rowErrors) console.error(printableLine(`line ${line}: ${field ? `${field} ` : ''}${message}`))
  if (done.errors_kept > rowErrors.length)
    console.error(`… and ${done.errors_kept - rowErrors.length} more: GET /api/v1/imports/${done.id}/errors.csv`)
  const counts = `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged, ${done.failed} failed`
  const why = done.error ? ` ${done.error.message}` : ''
  console.log(`${dryRun ? 'Dry run ' : 'Import '}${done.id} ${done.status}: ${counts}.${why}`)
}
