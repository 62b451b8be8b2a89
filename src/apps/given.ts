// Settings and credentials as they are given to commands.
import { givenSecret } from '../cli/secret.ts'
import { OperatorError } from '../errors.ts'
import type { Config } from './manifest/shape.ts'
import type { Credential, CredentialMode } from './schema.ts'

/**
 * @param texts `key=value`; `key=` takes a value away, and `@file` or `-` in a value's place is read
 * @param declared the settings of the app, by which numbers are told from texts
 * @throws {OperatorError} for one without a key, and for a key that is given twice
 */
export function givenSettings(texts: readonly string[], declared: readonly Config[]): Record<string, unknown> {
  const given = new Map<string, unknown>()
  for (const text of texts) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (key === undefined || value === undefined) throw new OperatorError('A setting is written key=value.')
    if (given.has(key)) throw new OperatorError(`The setting ${key} is given twice.`)
    const read = givenSecret('config', value)
    given.set(key, value === '' ? null : valueOfText(declared.find(each => each.key === key)?.type, read))
  }
  return Object.fromEntries(given)
}

/** A text without the form of its type stays text, and is refused by name. */
function valueOfText(type: Config['type'] | undefined, text: string): unknown {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** @returns undefined where nothing of it is given @throws {OperatorError} for half of it */
export function givenCredential({ auth, secret }: { auth?: CredentialMode; secret?: string }): Credential | undefined {
  if (auth === undefined) {
    if (secret !== undefined) throw new OperatorError('--secret goes with --auth bearer or --auth hmac.')
    return undefined
  }
  if (auth === 'none') {
    if (secret !== undefined) throw new OperatorError('--auth none takes no --secret.')
    return { mode: auth }
  }
  if (secret === undefined) throw new OperatorError(`--auth ${auth} needs --secret; @file reads it from a file, - from stdin.`)
  return { mode: auth, secret: givenSecret('secret', secret) }
}
