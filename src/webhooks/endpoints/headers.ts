// Headers of the tenant's own, sent with every delivery: which names are free, and how they are shown. Their values are secrets.
import { CUSTOM_HEADERS_MAX } from '../../limits/webhooks.ts'
import { type FieldError, invalid } from '../../problems.ts'

/**
 * @param change names with their new value; null takes one away, and what is not named stays. Names are the same in any case
 * @throws {Problem} 422 for names that are ours or the connection's, and for too many
 */
export function changedHeaders(current: Record<string, string>, change: Record<string, string | null>): Record<string, string> {
  const names = Object.keys(change)
  const errors = names.flatMap((name, index) => refusal(name, names.slice(0, index)))
  if (errors.length > 0) throw invalid(errors)
  const kept = unnamed(Object.keys(current), change).map((name): [string, string] => [name, current[name] as string])
  const given = Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== null)
  const headers = Object.fromEntries([...kept, ...given])
  if (Object.keys(headers).length > CUSTOM_HEADERS_MAX)
    throw invalid({ field: 'headers', code: 'too_many', message: `must have at most ${CUSTOM_HEADERS_MAX}.` })
  return headers
}

/** The names that a change does not mention. */
export function unnamed(names: string[], change: Record<string, string | null>): string[] {
  const touched = new Set(Object.keys(change).map(name => name.toLowerCase()))
  return names.filter(name => !touched.has(name.toLowerCase()))
}

function refusal(name: string, before: string[]): FieldError[] {
  const field = `headers.${name}`
  const lower = name.toLowerCase()
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some(prefix => lower.startsWith(prefix)))
    return [{ field, code: 'reserved_header', message: 'is set by us or by the connection; choose another name.' }]
  if (before.some(other => other.toLowerCase() === lower))
    return [{ field, code: 'duplicate', message: 'is given twice: names of headers are the same in any case.' }]
  return []
}

const RESERVED_PREFIXES = ['x-service-', 'proxy-', 'content-']
const RESERVED = new Set([
  'host',
  'user-agent',
  'accept-encoding',
  'date',
  // RFC 9110 §7.6.1: what belongs to the connection, not to the message
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])
