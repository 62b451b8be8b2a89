// What is typed, read as REST reads it: the same shapes hold it, so that both take the same.
import { type Command, Option } from 'commander'
import type { Static, TObject, TSchema } from 'typebox'
import { commaList } from '../command.ts'
import { loadConfig, SettingError } from '../config.ts'
import { type Listing, pageRequest } from '../ingress/list.ts'
import { readQuery } from '../ingress/query.ts'
import { check } from '../ingress/validate.ts'
import { CUSTOM_HEADERS_MAX, ENDPOINT_CAP, PAGE_DEFAULT, PAGE_MAX, PARALLEL_MAX, PER_MINUTE_MAX } from '../limits.ts'
import type { PageRequest } from '../postgres/page.ts'
import { inOptions, type Options, refusal } from './command-line.ts'

/** @throws {SettingError} naming the options */
export function checked<T extends TSchema>(schema: T, input: object): Static<T> {
  const errors = check(schema, input)
  if (errors.length > 0) throw refusal(errors, input)
  return input as Static<T>
}

// What is no number stays text, and the schema refuses it by name.
export const numeric = (text: string): number | string => (/^-?\d{1,9}$/.test(text) ? Number(text) : text)

/** How an option takes a time. */
export const TIME = 'ISO 8601 with its zone, such as 2026-05-25T09:30:00Z'

const OF_LISTS: Record<string, Option> = {
  created_after: new Option('--created-after <time>', `only what was created later; ${TIME}`),
  created_before: new Option('--created-before <time>', 'only what was created earlier'),
  updated_after: new Option('--updated-after <time>', 'only what was changed later'),
  updated_before: new Option('--updated-before <time>', 'only what was changed earlier'),
  dir: new Option('--dir <direction>', 'by time; desc, the newest first, unless given').choices(['asc', 'desc']),
  limit: new Option('--limit <n>', `how many at most, 1 to ${PAGE_MAX}; ${PAGE_DEFAULT} unless given`),
  cursor: new Option('--cursor <text>', 'goes on where another page ended; it told its next cursor'),
}

/** A list's own filters, which are choices, and what all lists take. */
export function listOptions(command: Command, query: TObject): Command {
  for (const [name, { items }] of Object.entries(query.properties as Record<string, { items?: { enum: string[] } }>)) {
    const option = items ? new Option(`--${name} <list>`, `comma-separated: ${items.enum.join(', ')}`) : OF_LISTS[name]
    if (option) command.addOption(option)
  }
  return command
}

/** An option that asks for one thing rather than the list: what would filter or page that is refused beside it. */
export const instead = (flags: string, description: string, query: TObject): Option =>
  new Option(flags, description).conflicts(Object.keys(query.properties).map(camelCase))

/** @throws {SettingError} naming the options */
export function listAsked<Q extends TObject>(listing: Listing, query: Q, options: Options): { filters: Static<Q>; page: PageRequest } {
  const given = Object.fromEntries(Object.keys(query.properties).map(name => [name, options[camelCase(name)]]))
  try {
    const filters = readQuery(query, given)
    return { filters, page: pageRequest(listing, filters, loadConfig()) }
  } catch (error) {
    throw inOptions(error, given)
  }
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** How a webhook is to be sent to: what can be said when it is made, and changed later. */
export const settingOptions = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is for, up to 500 characters; empty for none')
    .option('--max-parallel <n>', `requests at once, 1 to ${PARALLEL_MAX}; 1 delivers strictly in order; a new webhook has ${ENDPOINT_CAP}`)
    .option('--max-per-minute <n>', `requests a minute, 1 to ${PER_MINUTE_MAX}, or none for no limit, as a new webhook has`)
    .option(
      '--header <name: value>',
      `a header of your own, sent with every delivery and never shown again; repeat it for more, up to ${CUSTOM_HEADERS_MAX}`,
      gathered,
    )

/** An option that may be repeated. One that takes several values at once would swallow the argument behind it. */
export const gathered = (text: string, before: string[] = []): string[] => [...before, text]

/** In the fields of REST; only what was given. */
export function settingsOf(options: Record<string, unknown>): Record<string, unknown> {
  const { url, events, description, maxParallel, maxPerMinute, header, removeHeader } = options as Record<string, string> & {
    header?: string[]
    removeHeader?: string[]
  }
  const headers = headersOf(header ?? [], removeHeader ?? [])
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: commaList(events) }),
    ...(description !== undefined && { description: description || null }),
    ...(maxParallel !== undefined && { max_parallel: numeric(maxParallel) }),
    ...(maxPerMinute !== undefined && { max_per_minute: maxPerMinute === 'none' ? null : numeric(maxPerMinute) }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function headersOf(set: string[], removed: string[]): Record<string, string | null> {
  // What has no colon may be a secret by itself: it is not repeated.
  if (set.some(text => !text.includes(':')))
    throw new SettingError("--header must be a name, a colon and a value, such as 'X-Shop: 7'; one has no colon.")
  const entries: [string, string | null][] = [
    ...set.map((text): [string, string] => [text.slice(0, text.indexOf(':')).trim(), text.slice(text.indexOf(':') + 1).trim()]),
    ...removed.map((name): [string, null] => [name, null]),
  ]
  const names = entries.map(([name]) => name.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new SettingError(`--header names ${twice} twice; names of headers are the same in any case.`)
  return Object.fromEntries(entries)
}
