// `shopdesk export`: the walk of a download, into a file or a pipe. Only the file goes to stdout.
import { open, rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Argument, type Command, Option } from 'commander'
import type { Connect } from '../cli/command.ts'
import { whenInterrupted, whenUnread } from '../cli/ending.ts'
import { withProgress } from '../cli/progress.ts'
import { inOptions } from '../cli/refusal.ts'
import { OperatorError } from '../errors.ts'
import { readQuery } from '../ingress/query.ts'
import { openWalks, type Sql } from '../postgres/sql.ts'
import { countRows, type Source, walk } from '../postgres/walk.ts'
import { inTenant, tenantOption } from '../tenants/tenant-command.ts'
import { type Exportable, filtersOf } from './exportable.ts'
import { FORMATS, type Format, type Formatter, formatter } from './format.ts'

interface Options {
  tenant: string
  format: Format
  fields?: string
  bom?: boolean
  filter?: Record<string, string>
  out?: string
}

/** @param nouns what can be exported */
export function commands(program: Command, nouns: Exportable[]): void {
  tenantOption(program.command('export').description('all rows of a resource as one file, NDJSON or CSV'))
    .addArgument(new Argument('<resource>', 'what').choices(nouns.map(({ resource }) => resource)))
    .addOption(new Option('--format <format>', 'of the file').choices(FORMATS).default('ndjson'))
    .option('--fields <list>', 'comma-separated paths: the columns of CSV, or what is left of each JSON object')
    .option('--bom', 'open CSV with a byte order mark, for spreadsheets')
    .option('--filter <name=value>', 'as the list of the resource takes it, e.g. status=pending; may be repeated', addFilter)
    .option('--out <file>', 'where to; stdout unless given')
    .action(async (resource: string, options: Options) => {
      const noun = nouns.find(each => each.resource === resource) as Exportable
      const asked = askedFor(noun, options)
      await inTenant(options.tenant, ({ sql }) => (options.out === undefined ? toStdout(sql, asked) : toFile(sql, asked, options.out)), {
        connect,
      })
    })
}

const connect: Connect = databaseUrl => openWalks(databaseUrl, { name: 'shopdesk export' })

function addFilter(text: string, others: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new OperatorError(`--filter is ${JSON.stringify(text)}; it must be name=value, such as status=pending.`)
  return { ...others, [text.slice(0, at)]: text.slice(at + 1) }
}

interface Asked extends Formatter {
  resource: string
  source: Source
}

/** @throws {OperatorError} that names the options */
function askedFor(noun: Exportable, { tenant, format, fields, bom, filter = {} }: Options): Asked {
  const filters = filtersOf(noun)
  const known = Object.keys(filters.properties)
  const unknown = Object.keys(filter).find(name => !known.includes(name))
  if (unknown !== undefined) throw new OperatorError(`--filter ${unknown} is not known; known are ${known.join(', ')}.`)
  try {
    const source = noun.rows(tenant, readQuery(filters, filter) as never)
    return { resource: noun.resource, source, ...formatter(noun, { format, fields, bom }) }
  } catch (error) {
    throw inOptions(error, filter, { names: Object.fromEntries(known.map(name => [name, `filter ${name}`])) })
  }
}

async function toStdout(sql: Sql, asked: Asked): Promise<void> {
  const unread = whenUnread(process.stdout)
  try {
    await write(sql, asked, process.stdout, { end: false })
  } catch (error) {
    // The reader has closed the pipe (`| head`), or the command line has said what is wrong with it.
    if (!unread.aborted) throw error
  }
}

// Writes under another name and renames at the end, so a file with the final name is always complete. Ctrl-C leaves neither.
async function toFile(sql: Sql, asked: Asked, file: string): Promise<void> {
  const partial = `${file}.partial`
  const interrupted = whenInterrupted()
  try {
    const opened = await open(partial, 'w')
    await write(sql, asked, opened.createWriteStream(), { end: true, signal: interrupted })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    if (interrupted.aborted) throw new OperatorError(`Cancelled; ${file} was not written.`)
    const { code, syscall } = error as { code?: string; syscall?: string }
    if (!['open', 'write', 'rename'].includes(syscall ?? '')) throw error
    throw new OperatorError(`--out ${file} cannot be written: ${code}.`)
  }
}

async function write(sql: Sql, asked: Asked, to: Writable, options: { end: boolean; signal?: AbortSignal }): Promise<void> {
  const { resource, source, head, piece, sliceBytes } = asked
  const until = new Date().toISOString()
  const next = walk({ sql, source, until, sliceBytes })
  const total = await countRows(sql, source, until)
  let done = 0
  await withProgress({ elsewhere: 'the last' }, async ({ show }) => {
    const file = (async function* () {
      yield head
      for (let slice = await next(); slice; slice = await next()) {
        yield piece(slice.data)
        done += slice.rows
        show({ done, total, what: resource })
      }
    })()
    await pipeline(Readable.from(file, { objectMode: false }), to, options)
    // The total at the end: rows may have come or gone since the count.
    show({ done, total: done, what: resource })
  })
}
