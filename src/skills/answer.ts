// What an attempt to call a skill came to: its output, or why there is none, and whether it is tried once more. Pure.
import type { Manifest } from '../apps/manifest/shape.ts'
import { mended, mendedText, NAME_WITH_BACKSLASH, readJson } from '../json.ts'
import { JSON_DEPTH } from '../limits/bodies.ts'
import type { Answer, Failure, Outcome } from '../outbound/outcome.ts'
import type { FieldError } from '../problems.ts'
import { type Code, inDoubt } from './codes.ts'
import { faultsOf, told } from './faults.ts'
import { judge } from './judge.ts'

export type Skill = NonNullable<Manifest['skills']>[number]

export interface Done {
  code: null
  output: unknown
  /** There was more than is read: the output is text as far as that came. */
  truncated: boolean
}

export interface Failed {
  code: Code
  /** A sentence. */
  why: string
  /** Where the answer is not as promised. */
  errors: FieldError[]
  /** The same request may be made once more. */
  again: boolean
  /** How long the fault is expected to last that is our own, and speaks for no app. Milliseconds. */
  oursForMs?: number
}

/** A failure without an answer, and whether the request is made once more. */
const FAILURES: Record<Exclude<Failure, 'aborted'>, [code: Code, again: boolean]> = {
  'private-address': ['private_address', false],
  'invalid-url': ['private_address', false],
  dns: ['dns', false],
  tls: ['tls', false],
  timeout: ['timeout', true],
  'connection-refused': ['connection', true],
  'connection-reset': ['connection', true],
  unreachable: ['connection', true],
  protocol: ['connection', false],
  flood: ['connection', false],
  'own-fault': ['connection', false],
  'invalid-request': ['connection', false],
}

/**
 * @param asked the app can have got this request, or one before with the same key
 * @returns undefined: the request was given up, and nothing is known of the app
 */
export function judgeAnswer(outcome: Outcome, skill: Skill, asked: boolean): Done | Failed | undefined {
  if (outcome.error === 'aborted') return undefined
  if (outcome.error !== undefined) {
    const [code, again] = FAILURES[outcome.error]
    const ours = outcome.error === 'own-fault' ? { oursForMs: outcome.againInMs ?? 0 } : {}
    return { ...failed(code, asked ? inDoubt(outcome.message) : outcome.message), again, ...ours }
  }
  const { status, truncated } = outcome
  if (status >= 500) return { ...failed('http_status', `It answered ${status}.`), again: true }
  if (status >= 400) return failed('http_status', `It answered ${status}.`)
  if (status >= 300) return failed('redirect', `It answered ${status}.`)
  if (truncated === 'aborted') return undefined
  if (truncated !== false && truncated !== 'size') {
    const [code, again] = FAILURES[truncated]
    return { ...failed(code, inDoubt('Its answer broke off.')), again }
  }
  return judgeBody(outcome, skill)
}

const failed = (code: Code, why: string, errors: FieldError[] = []): Failed => ({ code, why, errors, again: false })

function judgeBody(answer: Answer, { outputSchema }: Skill): Done | Failed {
  const { status, headers, truncated } = answer
  const isCut = truncated !== false
  const text = status === 204 ? '' : textOf(answer.body, isCut)
  const encoding = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .trim()
  if (text !== '' && encoding !== '' && encoding !== 'identity')
    return failed('not_json', `It is encoded (${encoding.slice(0, 50)}), which was not asked for.`)
  const value = text === '' ? { json: null } : parsed(text)
  if (!outputSchema) return { code: null, output: 'json' in value ? value.json : mendedText(text), truncated: isCut }
  if (!('json' in value)) return isCut ? failed('truncated', 'Its answer has more than 256 KB.') : failed('not_json', value.why)
  const { check } = judge(outputSchema)
  // A schema that cannot be judged any more lets nothing through.
  const errors = check ? faultsOf(check(value.json), value.json) : [NO_SCHEMA]
  return errors.length > 0 ? failed('invalid_output', told(errors), errors) : { code: null, output: value.json, truncated: isCut }
}

const NO_SCHEMA: FieldError = {
  field: '',
  code: 'invalid_schema',
  message: 'cannot be held against outputSchema, which is not valid any more.',
}

/** Many servers begin with a byte order mark, which is no part of JSON; and a cut may leave half a character. */
const textOf = (body: string, isCut: boolean): string => body.replace(/^\u{FEFF}/u, '').replace(isCut ? /\u{FFFD}+$/u : /$^/, '')

/** @returns why it cannot be handed on, where it cannot */
function parsed(text: string): { json: unknown } | { why: string } {
  try {
    const json = readJson(text)
    if (isDeeper(text, JSON_DEPTH)) return { why: `It is JSON of more than ${JSON_DEPTH} levels.` }
    // A later step writes it into a record, or a tag: an app must not stop its run with a character that cannot be stored.
    return { json: mended(text, json) }
  } catch (error) {
    // The parser's own words quote the answer.
    return { why: (error as Error).message === NAME_WITH_BACKSLASH ? `In its JSON ${NAME_WITH_BACKSLASH}.` : 'It is no JSON.' }
  }
}

/** @param text JSON */
function isDeeper(text: string, most: number): boolean {
  let [depth, inText] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inText && character === '\\') at++
    else if (character === '"') inText = !inText
    else if (inText) continue
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > most) return true
  }
  return false
}
