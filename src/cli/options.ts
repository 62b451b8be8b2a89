// Options, and what is typed in them. They are checked against the same schemas as REST, so that both accept the same.
import { type Command, Option } from 'commander'
import type { Static, TObject, TSchema } from 'typebox'
import { loadConfig } from '../config.ts'
import { type Listing, pageRequest } from '../ingress/list.ts'
import { readQuery } from '../ingress/query.ts'
import { check } from '../ingress/validate.ts'
import { PAGE_MAX } from '../limits/lists.ts'
import type { PageRequest } from '../postgres/page.ts'
import { inOptions, refusal, type Wording } from './refusal.ts'

export const jsonOption = (): Option => new Option('--json', 'print the result as one line of JSON, and nothing else')

/** @throws {OperatorError} naming the options */
export function checked<T extends TSchema>(schema: T, input: object, wording?: Wording): Static<T> {
  const errors = check(schema, input)
  if (errors.length > 0) throw refusal(errors, input, wording)
  return input as Static<T>
}

// A text that is no number stays text, and the schema refuses it by name.
export const numeric = (text: string): number | string => (/^-?\d{1,9}$/.test(text) ? Number(text) : text)

/** A comma list, trimmed. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** The form of a time in an option. */
export const TIME = 'ISO 8601 with its zone, such as 2026-05-25T09:30:00Z'

const OF_LISTS: Record<string, Option> = {
  created_after: new Option('--created-after <time>', `only what was created later; ${TIME}`),
  created_before: new Option('--created-before <time>', 'only what was created earlier'),
  updated_after: new Option('--updated-after <time>', 'only what was changed later'),
  updated_before: new Option('--updated-before <time>', 'only what was changed earlier'),
  dir: new Option('--dir <direction>', 'by time; desc, the newest first, unless given').choices(['asc', 'desc']),
  cursor: new Option('--cursor <text>', 'goes on where another page ended; it told its next cursor'),
}

interface Filter {
  items?: { enum: string[] }
  default?: unknown
}

const limitOption = (usual: number): Option => new Option('--limit <n>', `how many at most, 1 to ${PAGE_MAX}; ${usual} unless given`)

/** The options of a list: its own filters, which are choices, and those of all lists. */
export function listOptions(command: Command, query: TObject): Command {
  for (const [name, { items, default: usual }] of Object.entries(query.properties as Record<string, Filter>)) {
    const own = items && new Option(`--${name} <list>`, `comma-separated: ${items.enum.join(', ')}`)
    const option = own ?? (name === 'limit' ? limitOption(usual as number) : OF_LISTS[name])
    if (option) command.addOption(option)
  }
  return command
}

/** An option that shows one item instead of the list: options that filter or page the list are refused beside it. */
export const instead = (flags: string, description: string, query: TObject): Option =>
  new Option(flags, description).conflicts(Object.keys(query.properties).map(camelCase))

/** @throws {OperatorError} naming the options */
export function listAsked<Q extends TObject>(
  listing: Listing,
  query: Q,
  options: Record<string, unknown>,
): { filters: Static<Q>; page: PageRequest } {
  const typed = options as Record<string, string | undefined>
  const given = Object.fromEntries(Object.keys(query.properties).map(name => [name, typed[camelCase(name)]]))
  try {
    const filters = readQuery(query, given)
    return { filters, page: pageRequest(listing, filters, loadConfig()) }
  } catch (error) {
    throw inOptions(error, given)
  }
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
