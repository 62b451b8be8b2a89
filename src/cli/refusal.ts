// What is refused, told in terms of the command line: as options, not as the fields of REST.
import { OperatorError } from '../errors.ts'
import { type FieldError, Problem } from '../problems.ts'

/** A refusal with the way out that there is here; anything else as it is. */
export function inOptions(error: unknown, input?: object): unknown {
  if (!(error instanceof Problem)) return error
  const { errors, recovery_id: other } = error.members as { errors?: FieldError[]; recovery_id?: string }
  if (errors) return refusal(errors, input)
  return other === undefined ? error : new OperatorError(`${error.message} It is ${other}: see recoveries and cancel-recovery.`)
}

/** All that is wrong in one line, each option once: as it is written here, what it was, and what it must be. */
export function refusal(errors: FieldError[], input: object = {}): OperatorError {
  // Of a header with a wrong name it is also said that the headers as a whole have the wrong form.
  const told = errors.filter(({ field, code }) => !(field === 'headers' && code === 'invalid_format'))
  const sentences = new Map(told.toReversed().map(error => [error.field, sentence(error, input as Record<string, unknown>)]))
  return new OperatorError([...sentences.values()].toReversed().join(' '))
}

/** Where an option is not called as the field is. */
const NAMES: Record<string, string> = { headers: 'header', max_per_second: 'rate' }
/** Longer values are not repeated. */
const VALUE_CHARS = 60

function sentence({ field, code, message }: FieldError, input: Record<string, unknown>): string {
  const [, name = '', index, inner = ''] = /^(\w*)(?:\[(\d+)\])?(?:\.(.*))?$/s.exec(field) ?? []
  const option = `--${(NAMES[name] ?? name).replaceAll('_', '-')}`
  // Their values are secrets.
  if (name === 'headers') return `${[option, inner].join(' ').trim()} ${OF_HEADERS[code] ?? message}`
  if (/^[A-Z]/.test(message)) return `${option}: ${message}`
  const value = written(input[name], index)
  if (value === undefined || value.length > VALUE_CHARS || !message.startsWith('must')) return `${option} ${message}`
  return `${option} ${index === undefined ? 'is' : 'holds'} ${JSON.stringify(value)}; it ${message.replace(/\b(null|since)\b/, word => SPELLED[word] as string)}`
}

const OF_HEADERS: Record<string, string> = {
  invalid_name: 'is no name of a header; it must be of letters, digits and hyphens, at most 100.',
  invalid_format: 'must have a value of visible ASCII, with spaces only inside it.',
  too_short: 'has no value; --remove-header takes a header away.',
}
const SPELLED: Record<string, string> = { null: 'none', since: '--since' }

// As it was typed, whether or not the list it is has been taken apart.
function written(value: unknown, index: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = [value].flat().join(',')
  return index === undefined ? text : text.split(',')[Number(index)]?.trim()
}
