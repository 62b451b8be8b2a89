// `shopdesk channel log|reapply` and `shopdesk payment log|reapply`: what became of what was told, and another try for what failed.
import { type Command, Option } from 'commander'
import { type TObject, Type } from 'typebox'
import { checked, jsonOption, numeric } from '../cli/options.ts'
import { type Column, type Json, show, showLines, showRows } from '../cli/output.ts'
import { idPattern } from '../ids.ts'
import { REAPPLY_MAX } from '../limits/callbacks.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../limits/lists.ts'
import { begin } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { callerOf, example, inTenant, tenantOption } from '../tenants/tenant-command.ts'
import * as callbacks from './callbacks.ts'

const STATUSES = ['waiting', 'applied', 'ignored', 'failed'] as const

interface Source {
  prefix: 'chn' | 'pay'
  /** What it is called, for the 404. */
  noun: string
}

const callback = Type.Optional(Type.String({ pattern: idPattern('cbk') }))
const Asked = Type.Object({
  status: Type.Optional(Type.Enum([...STATUSES])),
  callback,
  before: callback,
  limit: Type.Integer({ minimum: 1, maximum: PAGE_MAX }),
})
const Again = Type.Object({ callback })

/** Adds both commands to that of the noun which owns the sources. */
export function sourceCommands(parent: Command, { prefix, noun }: Source): void {
  const log = tenantOption(parent.command('log <id>').description(`what was told to a ${noun}, the latest first, and what became of it`))
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .addOption(new Option('--callback <id>', 'one, cbk_…, with its body as it came').conflicts(['status', 'before', 'limit']))
    .addOption(new Option('--before <id>', 'goes on behind this one, the last of a page'))
    .addOption(new Option('--limit <n>', `how many at most, 1 to ${PAGE_MAX}`).argParser(numeric).default(PAGE_DEFAULT))
    .addOption(jsonOption())
  example(log, `${prefix}_… --status failed`, `${prefix}_… --callback cbk_…`).action(async (id: string, options: LogOptions) => {
    const { tenant, json } = options
    const asked = inputOf(Asked, options) as { status?: callbacks.Status; callback?: string; before?: string; limit: number }
    const lines = await inTenant(tenant, async ({ sql }) => {
      if (!(await callbacks.hasSource(sql, { tenant, id }))) throw notFound(noun)
      return asked.callback === undefined
        ? callbacks.log(sql, { tenant, id }, { ...asked, limit: asked.limit + 1 })
        : callbacks.one(sql, { tenant, id }, asked.callback)
    })
    if (asked.callback !== undefined) return showOne(lines[0], json)
    const page = lines.slice(0, asked.limit)
    if (json) return console.log(JSON.stringify({ data: page.map(shown), has_more: lines.length > page.length }))
    if (page.length === 0) return console.log('None.')
    showRows(page.map(shown), COLUMNS)
    if (lines.length > page.length) console.log(`… and more: --before ${page.at(-1)?.id}`)
  })

  const again = tenantOption(
    parent.command('reapply <id>').description('gives callbacks that failed another try, after what made them fail was corrected'),
  )
    .addOption(new Option('--callback <id>', `this one alone, cbk_…; without it, all that failed, the oldest ${REAPPLY_MAX} at a time`))
    .addOption(jsonOption())
  example(again, `${prefix}_…`).action(async (id: string, options: LogOptions) => {
    const { tenant, json } = options
    const asked = inputOf(Again, options) as { callback?: string }
    const count = await inTenant(tenant, async ({ sql }) => {
      if (!(await callbacks.hasSource(sql, { tenant, id }))) throw notFound(noun)
      return begin(sql, tx => callbacks.reapply(tx, callerOf(tenant), id, asked.callback))
    })
    if (json) return console.log(JSON.stringify({ id, reapplied: count }))
    const none = asked.callback === undefined ? 'None has failed.' : 'It has not failed, or there is no such callback.'
    console.log(count === 0 ? none : `${count} wait to be applied again; bin/shopdesk ${parent.name()} log shows what becomes of them.`)
  })
}

interface LogOptions {
  tenant: string
  json?: boolean
}

const inputOf = (schema: TObject, options: object): unknown => {
  const given = options as Record<string, unknown>
  const named = Object.keys(schema.properties).filter(name => given[name] !== undefined)
  return checked(schema, Object.fromEntries(named.map(name => [name, given[name]])))
}

const shown = ({ received_at, due_at, done_at, ...line }: callbacks.Line): Json => ({
  object: 'callback',
  ...line,
  received_at: received_at.toISOString(),
  due_at: due_at?.toISOString() ?? null,
  done_at: done_at?.toISOString() ?? null,
})

const COLUMNS: Column[] = ['received_at', 'id', 'status', 'attempts', 'reason']

function showOne(line: callbacks.Line | undefined, json: boolean | undefined): void {
  if (!line) throw notFound('callback')
  const { body, ...rest } = shown(line)
  if (json) show({ ...rest, body }, json)
  else {
    showLines(rest)
    console.log(`\n${JSON.stringify(JSON.parse(body as string), null, 2)}`)
  }
}
