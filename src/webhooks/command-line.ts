// What the commands of webhooks share: the workspace they are about, their input, and how an answer is shown.
import type { Command } from 'commander'
import type { Static, TSchema } from 'typebox'
import { jsonOption, type Opened, print, printTable, withDatabase } from '../command.ts'
import { SettingError } from '../config.ts'
import { check } from '../ingress/validate.ts'
import type { Caller } from '../postgres/audit.ts'
import type { Page } from '../postgres/page.ts'
import type { Sql } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { requireTenant } from '../tenants/tenants.ts'

export type Options = Record<string, string | undefined> & { tenant: string; json?: boolean }
export type Json = Record<string, unknown>

export const tenantCommand = (webhook: Command, name: string, description: string): Command =>
  webhook.command(name).description(description).requiredOption('--tenant <id>', 'the workspace').addOption(jsonOption())

export const callerOf = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })

export const inTenant = <T>(tenant: string, work: (place: Opened & { sql: Sql }) => Promise<T>): Promise<T> =>
  withDatabase(async place => {
    await requireTenant(place.sql, tenant)
    return work(place)
  })

export function found(noun: string, json: string | undefined): string {
  if (json === undefined) throw notFound(noun)
  return json
}

export function checked<T extends TSchema>(schema: T, input: object): Static<T> {
  const [wrong] = check(schema, input)
  if (wrong) throw new SettingError(`${wrong.field ? `--${wrong.field.replace(/[.[].*/, '').replaceAll('_', '-')} ` : ''}${wrong.message}`)
  return input as Static<T>
}

// What is no number stays text, and the schema refuses it by name.
export const numeric = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text)

export function show(json: string, asJson: boolean | undefined, people: (value: Json) => void = value => print(flat(value), false)): void {
  if (asJson) console.log(json)
  else people(JSON.parse(json) as Json)
}

export function showPage({ data, next }: Page, asJson: boolean | undefined, columns: string[]): void {
  if (asJson) {
    console.log(`{"data":[${data}],"has_more":${next !== undefined}}`)
    return
  }
  const rows = JSON.parse(`[${data}]`) as Json[]
  printTable(
    columns,
    rows.map(row => columns.map(name => cell(row[name]))),
  )
  if (next) console.log('… and more.')
}

export const flat = (value: Json): Json => Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cell(each)]))

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object') return String(value)
  return Object.values(value)
    .filter(each => each !== null)
    .join(' ')
}
