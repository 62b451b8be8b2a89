// What is refused, told in terms of the command line: as options, not as the fields of REST.
import { OperatorError } from '../errors.ts'
import { type FieldError, Problem } from '../problems.ts'

/** How a noun's refusals read as options, where they do not as its fields do. */
export interface Wording {
  /** What options are called, by the field. */
  names?: Record<string, string>
  /** What is typed, by the word of a message. */
  words?: Record<string, string>
  /** An error's own sentence; empty where another error says it all. */
  sentenceOf?(error: FieldError): string | undefined
}

/** A refusal of fields as one of options; anything else as it is. */
export function inOptions(error: unknown, input?: object, wording?: Wording): unknown {
  const errors = error instanceof Problem ? (error.members['errors'] as FieldError[] | undefined) : undefined
  return errors ? refusal(errors, input, wording) : error
}

/** All that is wrong in one line, each option once: as it is written here, what it was, and what it must be. */
export function refusal(errors: FieldError[], input: object = {}, wording: Wording = {}): OperatorError {
  const told = errors
    .map(error => [error.field, wording.sentenceOf?.(error) ?? sentence(error, input as Record<string, unknown>, wording)] as const)
    .filter(([, text]) => text !== '')
  const once = new Map(told.toReversed())
  return new OperatorError([...once.values()].toReversed().join(' '))
}

/** Longer values are not repeated. */
const VALUE_CHARS = 60

function sentence({ field, message }: FieldError, input: Record<string, unknown>, { names = {}, words = {} }: Wording): string {
  const [, name = '', index] = /^(\w*)(?:\[(\d+)\])?/.exec(field) ?? []
  const option = `--${names[name] ?? name.replaceAll('_', '-')}`
  if (/^[A-Z"]/.test(message)) return `${option}: ${message}`
  const value = written(input[name], index)
  if (value === undefined || value.length > VALUE_CHARS || !message.startsWith('must')) return `${option} ${message}`
  const typed = message.replaceAll(/\w+/g, word => (Object.hasOwn(words, word) ? (words[word] as string) : word))
  return `${option} ${index === undefined ? 'is' : 'holds'} ${JSON.stringify(value)}; it ${typed}`
}

// As it was typed, whether or not the list it is has been taken apart.
function written(value: unknown, index: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = [value].flat().join(',')
  return index === undefined ? text : text.split(',')[Number(index)]?.trim()
}
