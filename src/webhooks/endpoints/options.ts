// How a webhook is sent to, as options: given when it is made, and changed later.
import type { Command } from 'commander'
import { commaList, numeric } from '../../cli/options.ts'
import type { Wording } from '../../cli/refusal.ts'
import { OperatorError } from '../../errors.ts'
import { CUSTOM_HEADERS_MAX, ENDPOINT_CAP, PARALLEL_MAX, PER_MINUTE_MAX } from '../../limits/webhooks.ts'

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

/** An option that may be repeated. An option that takes several values at once would swallow the argument behind it. */
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
  // A text without a colon may be a secret by itself: the message does not repeat it.
  if (set.some(text => !text.includes(':')))
    throw new OperatorError("--header must be a name, a colon and a value, such as 'X-Shop: 7'; one has no colon.")
  const entries: [string, string | null][] = [
    ...set.map((text): [string, string] => [text.slice(0, text.indexOf(':')).trim(), text.slice(text.indexOf(':') + 1).trim()]),
    ...removed.map((name): [string, null] => [name, null]),
  ]
  const names = entries.map(([name]) => name.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new OperatorError(`--header names ${twice} twice; names of headers are the same in any case.`)
  return Object.fromEntries(entries)
}

/** How a refusal of them reads. */
export const wording: Wording = {
  words: { null: 'none' },
  // The values of headers are secrets: none is repeated.
  sentenceOf({ field, code, message }) {
    const [, name] = HEADER.exec(field) ?? []
    if (field !== 'headers' && name === undefined) return undefined
    // A header with a wrong name also makes a finding that the headers as a whole have the wrong form.
    if (field === 'headers' && code === 'invalid_format') return ''
    return `${`--header ${name ?? ''}`.trim()} ${OF_HEADERS[code] ?? message}`
  },
}

/** The path of a header; one without a name is `headers[""]`. */
const HEADER = /^headers(?:\.|\[""\])(.*)$/s
const OF_HEADERS: Record<string, string> = {
  invalid_name: 'is no name of a header; it must be of letters, digits and hyphens, at most 100.',
  invalid_format: 'must have a value of visible ASCII, with spaces only inside it.',
  too_short: 'has no value; --remove-header takes a header away.',
}
