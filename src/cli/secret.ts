// Secrets that are given to a command.
import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

/** How options say it. */
export const SECRET_FORMS = '@file reads it from a file, - from stdin'

/**
 * What is typed in a command stays in the shell's history, and others on the machine see it while it runs: so `@file` and `-` are read.
 * @param option without its dashes @throws {OperatorError} where nothing can be read
 */
export function givenSecret(option: string, text: string): string {
  if (text !== '-' && !text.startsWith('@')) return text
  const file = text === '-' ? 0 : text.slice(1)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new OperatorError(`--${option}: ${file === 0 ? 'stdin' : file} cannot be read: ${(error as Error).message}.`)
  }
}
