// Refusals in the terms of the command line: they name options, not the fields of REST.
import { OperatorError } from '../errors.ts'
import { type FieldError, Problem } from '../problems.ts'

/** How a noun's refusals name options, where these differ from its fields. */
export interface Wording {
  /** The names of options, by field. */
  names?: Record<string, string>
  /** The names of arguments, by field: what is typed without an option before it. */
  arguments?: Record<string, string>
  /** The word to type on the command line, by the word of a message. */
  words?: Record<string, string>
  /** A sentence for an error; empty where another error says enough. */
  sentenceOf?(error: FieldError): string | undefined
}

/** Turns a refusal of fields into one of options; returns other errors as they are. */
export function inOptions(error: unknown, input?: object, wording?: Wording): unknown {
  const errors = error instanceof Problem ? (error.members['errors'] as FieldError[] | undefined) : undefined
  return errors ? refusal(errors, input, wording) : error
}

/** All errors in one line, each option once: its name here, its value, and what it must be. */
export function refusal(errors: FieldError[], input: object = {}, wording: Wording = {}): OperatorError {
  const told = errors
    .map(error => [error.field, wording.sentenceOf?.(error) ?? sentence(error, input as Record<string, unknown>, wording)] as const)
    .filter(([, text]) => text !== '')
  const once = new Map(told.toReversed())
  return new OperatorError([...once.values()].toReversed().join(' '))
}

/** Longer values are not repeated. */
const VALUE_CHARS = 60

function sentence({ field, message }: FieldError, input: Record<string, unknown>, wording: Wording): string {
  const { names = {}, words = {}, arguments: places = {} } = wording
  const [, name = '', index] = /^(\w*)(?:\[(\d+)\])?/.exec(field) ?? []
  const option = places[name] === undefined ? `--${names[name] ?? name.replaceAll('_', '-')}` : `<${places[name]}>`
  if (/^[A-Z"]/.test(message)) return `${option}: ${message}`
  const value = written(input[name], index)
  if (value === undefined || value.length > VALUE_CHARS || !message.startsWith('must')) return `${option} ${message}`
  const typed = message.replaceAll(/\w+/g, word => (Object.hasOwn(words, word) ? (words[word] as string) : word))
  return `${option} ${index === undefined ? 'is' : 'holds'} ${JSON.stringify(value)}; it ${typed}`
}

// The text that was typed, whether or not its list has been split already.
function written(value: unknown, index: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = [value].flat().join(',')
  return index === undefined ? text : text.split(',')[Number(index)]?.trim()
}
