// Meta's Graph API: https://developers.facebook.com/docs/graph-api
import { type Asked, ask, type Told } from '../ask.ts'
import { type Json, number, object, text } from '../value.ts'

/** @param path after the version, with a slash before it */
export const call = (asked: Asked, path: string, body?: Json): Promise<Told> =>
  ask(asked, { path, headers: { Authorization: `Bearer ${asked.token}` }, ...(body && { body }) }, wordsOf)

function wordsOf(json: Json): string | undefined {
  const error = object(json['error'])
  if (!error) return undefined
  const code = number(error['code'])
  return `${text(error['message']) ?? 'no reason is given'}${code === undefined ? '' : ` (code ${code})`}`
}
