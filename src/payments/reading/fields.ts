// Fields of an event, which any holder of the secret may have written: each is what it should be, or null.

/** The fields that `T` names, of values that are yet to be looked at: a field that the provider does not have does not compile. */
export type Fields<T> = { [K in keyof T]?: unknown }

export const fieldsOf = <T>(value: unknown): Fields<T> => (typeof value === 'object' && value !== null ? (value as Fields<T>) : {})

/** Longer ids than any provider makes are none. */
const ID_CHARS = 255
const TEXT_CHARS = 500

export const id = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= ID_CHARS ? value : null

/** An id, or the id of the object that stands in its place. */
export const idOf = (value: unknown): string | null =>
  id(typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value)

export const text = (value: unknown): string | null => (typeof value === 'string' && value.length > 0 ? value.slice(0, TEXT_CHARS) : null)

export const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** @param value seconds since 1970; no provider was there before */
export const instant = (value: unknown): string | null => {
  const seconds = integer(value)
  return seconds === null || seconds < 0 || seconds > SECONDS_MAX ? null : new Date(seconds * 1000).toISOString()
}
/** The year 9999. */
const SECONDS_MAX = 253_402_300_799

/** ISO 4217 in upper case. */
export const currency = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null
