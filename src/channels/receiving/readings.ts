// What a callback says, read once: its threads are asked for before it is applied.
import type { JsonObject } from '../../callbacks/kind.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Reading } from '../platforms/platform.ts'
import { PLATFORMS } from '../platforms/platforms.ts'

const known = new WeakMap<JsonObject, { platform: PlatformName; readings: Reading[] }>()

export function readingsOf(platform: PlatformName, value: JsonObject): Reading[] {
  const before = known.get(value)
  if (before?.platform === platform) return before.readings
  const readings = PLATFORMS[platform].read(value)
  known.set(value, { platform, readings })
  return readings
}

/** What Meta's callbacks say that they are about. */
const OBJECTS: Record<string, PlatformName> = { whatsapp_business_account: 'whatsapp', page: 'facebook', instagram: 'instagram' }

/** Whose form it has, where the channel is not known. */
function formOf(value: JsonObject): PlatformName {
  const said = value['object']
  if (typeof said === 'string' && Object.hasOwn(OBJECTS, said)) return OBJECTS[said] as PlatformName
  if ('visitor' in value) return 'web'
  return 'update_id' in value ? 'telegram' : 'api'
}

/** The conversations that a callback speaks of, by what tells them apart on their channel. */
export function threadsOf(value: JsonObject): string[] {
  const threads = readingsOf(formOf(value), value).map(({ update }) => (update.kind === 'ignored' ? undefined : update.thread))
  return [...new Set(threads.filter(each => each !== undefined))]
}
