// One question to a platform's API, apart from sending: who an account is, where its callbacks go. An answer is a value, and so is its lack.
import { readJson } from '../../json.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import { type Json, object } from './value.ts'

/** An account that is asked about, and by whom. */
export interface Asked {
  client: Pick<OutboundClient, 'get' | 'post'>
  tenant: string
  /** Without a slash at its end. */
  apiUrl: string
  token: string
}

/** The answer's JSON; or why there is none, in words that hold no credential. `isAway`: nothing has answered. */
export type Told<T = Json> = { value: T; refused?: never } | { value?: never; refused: string; isAway?: true }

/** Long enough for a slow platform; a person waits for it at a terminal. */
const TIMEOUT_MS = 15_000
const ANSWER_BYTES = 64 * 1024

export interface Question {
  /** After the API's address, with a slash before it. */
  path: string
  headers?: Record<string, string>
  /** Asked by POST where there is one. */
  body?: Json
}

/** @param wordsOf the platform's own words of a refusal; undefined: the answer is none */
export async function ask(
  { client, tenant, apiUrl, token }: Asked,
  { path, headers = {}, body }: Question,
  wordsOf: (json: Json) => string | undefined,
): Promise<Told> {
  const request = { url: `${apiUrl}${path}`, tenant, headers, timeoutMs: TIMEOUT_MS, bodyExtraMs: 5_000, keepResponseBytes: ANSWER_BYTES }
  const outcome = body
    ? await client.post({ ...request, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    : await client.get(request)
  const told = judged(outcome, wordsOf)
  // Meta's words quote a token that is malformed.
  return told.refused === undefined ? told : { ...told, refused: told.refused.replaceAll(token, '••••') }
}

function judged(outcome: Outcome, wordsOf: (json: Json) => string | undefined): Told {
  if (outcome.error) return { refused: `It was not reached: ${outcome.message}`, isAway: true }
  const json = jsonOf(outcome.body)
  const words = json && wordsOf(json)
  if (words !== undefined) return { refused: `It answered ${outcome.status}: ${words.slice(0, 500)}` }
  if (json && outcome.status >= 200 && outcome.status < 300) return { value: json }
  return { refused: `It answered ${outcome.status} without words that this program knows; is the address of its API right?` }
}

function jsonOf(body: string): Json | undefined {
  try {
    return object(readJson(body))
  } catch {
    return undefined
  }
}
