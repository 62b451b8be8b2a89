// The settings of an app: their values, typed as the manifest declares them. A secret is set and replaced, and never read back.
import { CONFIG_VALUE_CHARS } from '../limits/apps.ts'
import { meant } from '../nearest.ts'
import type { Finding } from './manifest/finding.ts'
import { plainText } from './manifest/plain.ts'
import type { Config, Manifest } from './manifest/shape.ts'
import type { PlainValue } from './schema.ts'

/** What is set, by key. */
export interface Settings {
  config: Record<string, PlainValue>
  /** Opened. */
  secrets: Record<string, string>
  /** When each secret was set: ISO 8601. */
  secrets_set: Record<string, string>
}

/** The keys of required settings without a value. */
export const missingSettings = (
  { config: declared = [] }: Manifest,
  { config, secrets_set }: Pick<Settings, 'config' | 'secrets_set'>,
): string[] =>
  declared.filter(({ key, required }) => required && !Object.hasOwn(config, key) && !Object.hasOwn(secrets_set, key)).map(({ key }) => key)

/** Those that a new revision keeps: of the same key and type, and of an enum a value that is still there. */
export function keptSettings(before: Manifest, after: Manifest, settings: Settings): Settings {
  const kept: Settings = { config: {}, secrets: {}, secrets_set: {} }
  for (const setting of after.config ?? []) {
    const { key, type } = setting
    if (before.config?.find(each => each.key === key)?.type !== type) continue
    const value = Object.hasOwn(settings.config, key) ? settings.config[key] : undefined
    const secret = Object.hasOwn(settings.secrets, key) ? settings.secrets[key] : undefined
    if (value !== undefined && (type !== 'enum' || setting.enumValues?.includes(String(value)))) kept.config[key] = value
    if (secret !== undefined) {
      kept.secrets[key] = secret
      kept.secrets_set[key] = settings.secrets_set[key] as string
    }
  }
  return kept
}

/**
 * Sets what is given, and takes away what is null.
 * @param given values of any kind, by key
 * @param at ISO 8601
 * @returns the settings, or all that is wrong with what was given: nothing of it is repeated
 */
export function withSettings(
  { config: declared = [] }: Manifest,
  settings: Settings,
  given: Record<string, unknown>,
  at: string,
): Settings | Finding[] {
  const next: Settings = { config: { ...settings.config }, secrets: { ...settings.secrets }, secrets_set: { ...settings.secrets_set } }
  const wrong: Finding[] = []
  for (const [key, value] of Object.entries(given)) {
    const setting = declared.find(each => each.key === key)
    const fault = setting ? faultOf(setting, value) : unknownKey(key, declared)
    if (fault) wrong.push({ path: `config.${key}`, ...fault })
    else if (value === null) {
      delete next.config[key]
      delete next.secrets[key]
      delete next.secrets_set[key]
    } else if (setting?.type === 'secret') {
      next.secrets[key] = value as string
      next.secrets_set[key] = at
    } else next.config[key] = value as PlainValue
  }
  return wrong.length > 0 ? wrong : next
}

type Fault = Omit<Finding, 'path'>

function unknownKey(key: string, declared: Config[]): Fault {
  const keys = declared.map(each => each.key)
  const otherwise = keys.length === 0 ? '; it has none' : `; it has ${keys.join(', ')}`
  return { code: 'unknown_setting', message: `is not a setting of this app${meant(key, keys, otherwise)}` }
}

function faultOf({ type, enumValues = [] }: Config, value: unknown): Fault | undefined {
  if (value === null) return undefined
  if (type === 'number') return Number.isFinite(value) ? undefined : { code: 'invalid_type', message: 'must be a number.' }
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : { code: 'invalid_type', message: 'must be true or false.' }
  if (typeof value !== 'string') return { code: 'invalid_type', message: 'must be a text.' }
  if (type === 'enum')
    return enumValues.includes(value) ? undefined : { code: 'invalid_choice', message: `must be one of ${enumValues.join(', ')}.` }
  if (value === '') return { code: 'too_short', message: 'must not be empty; leave it out, or take it away.' }
  if (value.length > CONFIG_VALUE_CHARS) return { code: 'too_long', message: `must have at most ${CONFIG_VALUE_CHARS} characters.` }
  const [unkept] = plainText(value)
  return unkept && { code: 'invalid_text', message: unkept.message }
}
