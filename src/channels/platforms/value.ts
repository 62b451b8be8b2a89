// Reads JSON of any sender: what has not the form that is asked for is undefined, and nothing throws.
import { mendedText } from '../../json.ts'
import { ID_MAX, NAME_MAX, TEXT_IN_MAX } from './bounds.ts'

/** The year 2286: platforms count in seconds, and a time beyond is a count of something else. */
const SECONDS_MAX = 10_000_000_000

export type Json = { readonly [name: string]: unknown }

export const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** The members that a platform's own types name, of values that are yet to be looked at: one that the platform does not have does not compile. */
export type Fields<T> = { readonly [K in T extends unknown ? keyof T : never]?: unknown }

/** An object, read by the platform's own types. */
export const fields = <T>(value: unknown): Fields<T> | undefined => object(value) as Fields<T> | undefined

/** The objects of a list; none where it is no list. */
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object).filter(each => each !== undefined) : [])

/** A text that says something, mended. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return mendedText(value.slice(0, TEXT_IN_MAX))
}

/** A name or a handle: cut where it is too long, for it is only shown. */
export const name = (value: unknown): string | undefined => {
  const said = text(value)?.trim()
  return said ? mendedText(said.slice(0, NAME_MAX)) : undefined
}

/** An id, of which some platforms make numbers. */
export function id(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}` : undefined
  if (typeof value !== 'string' || value === '' || value.length > ID_MAX) return undefined
  return value === mendedText(value) ? value : undefined
}

export const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** A size or a count. */
export const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

/** ISO 8601 of seconds since 1970, as a number or its digits; null of anything else. */
export function ofSeconds(value: unknown): string | null {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds > 0 && seconds < SECONDS_MAX ? new Date(seconds * 1000).toISOString() : null
}

/** ISO 8601 of milliseconds since 1970. Some of Meta's callbacks count in seconds instead. */
export function ofMilliseconds(value: unknown): string | null {
  const ms = typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : value
  if (typeof ms !== 'number') return null
  return ms < SECONDS_MAX ? ofSeconds(ms) : ofSeconds(ms / 1000)
}

/** The entry of a table, by a name of any sender. */
export const entry = <V>(table: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** Only the members that have a value: for optional ones of a shape. */
export const given = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
