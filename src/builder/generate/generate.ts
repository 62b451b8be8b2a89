// A manifest from a description: written by an author, then cleaned and judged, whichever author it was. What an author gives that is no manifest at all is
// thrown away, and the generator writes instead.
import { setImmediate as immediate } from 'node:timers/promises'
import { type CheckOptions, checkManifest } from '../../apps/manifest/check.ts'
import type { Finding } from '../../apps/manifest/finding.ts'
import type { Manifest } from '../../apps/manifest/shape.ts'
import { isJsonObject } from '../../json.ts'
import { MANIFEST_LISTS } from '../../limits/apps.ts'
import { ready } from '../../skills/compilers.ts'
import { judge as judgeSchema } from '../../skills/judge.ts'
import { type Author, read } from './author.ts'
import { clean } from './clean.ts'
import { mend } from './mend.ts'
import { idOf, titleOf } from './names.ts'

export interface Generated {
  manifest: unknown
  /** Whether it can be installed. */
  valid: boolean
  /** Why not: what an install would say. */
  problems: Finding[]
  notes: string[]
}

export interface GenerateOptions extends CheckOptions {
  /** The generator unless given. */
  author?: Author
}

/** @param given a manifest that is edited: JSON of any content */
export async function generate(description: string, given: unknown, { author = read, ...options }: GenerateOptions): Promise<Generated> {
  await judgeAhead(given)
  const before = given === undefined ? undefined : clean(given, options)
  if (before) {
    const { errors, manifest } = checkManifest(before.manifest, options)
    if (!manifest) {
      const notes = [...before.notes, 'The given manifest has errors, so nothing was changed in it: mend those first.']
      return { manifest: before.manifest, valid: false, problems: errors, notes }
    }
  }
  const from = before?.manifest as Manifest | undefined
  const first = author === read ? undefined : await drafted(author, description, from, options).catch(() => undefined)
  const draft = first?.valid ? first : await drafted(read, description, from, options)
  return { ...draft, notes: [...new Set([...(before?.notes ?? []), ...draft.notes])] }
}

/** The schemas of a manifest are what takes long to judge. Judged one by one, and kept, they hold up no other request for long. */
async function judgeAhead(given: unknown): Promise<void> {
  await ready()
  for (const { inputSchema, outputSchema } of listed(isJsonObject(given) ? given['skills'] : undefined).slice(0, MANIFEST_LISTS.skills))
    for (const schema of [inputSchema, isJsonObject(inputSchema) && { ...inputSchema, required: [] }, outputSchema]) {
      if (!isJsonObject(schema)) continue
      judgeSchema(schema)
      await immediate()
    }
}

async function drafted(author: Author, description: string, from: Manifest | undefined, options: CheckOptions): Promise<Generated> {
  const written = await author(description, from)
  const judged = judge(written.manifest, from, options)
  return { ...judged, notes: [...written.notes, ...judged.notes] }
}

function judge(written: unknown, from: Manifest | undefined, options: CheckOptions): Generated {
  const mended = mend(named(written, from), options)
  const { manifest, notes } = clean(mended.manifest, options)
  const { errors, warnings } = checkManifest(manifest, options)
  // It can be installed, and would do nothing.
  const idle = warnings.filter(({ code }) => code === 'no_subject').map(({ path, message }) => `${path} ${message}`)
  return { manifest, valid: errors.length === 0, problems: errors, notes: [...mended.notes, ...notes, ...idle] }
}

/** What every manifest has, where the author said nothing of it; and a version above the one before. */
function named(written: unknown, from: Manifest | undefined): unknown {
  if (!isJsonObject(written)) return written
  const { name, id, author, version } = written
  const [first] = [...listed(written['resources']), ...listed(written['flows']), ...listed(written['skills']), ...listed(written['views'])]
  const called = filled(name) ?? titleOf(filled(first?.['name']) ?? 'New app')
  return {
    ...written,
    manifestVersion: 1,
    id: filled(id) ?? `shop:${idOf(called, 'app')}`,
    version: from && (version === from.version || !filled(version)) ? raised(from.version) : (filled(version) ?? '1.0.0'),
    name: called.slice(0, 100),
    author: filled(author) ?? 'This shop',
  }
}

const listed = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const filled = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** `1.2.3` → `1.3.0` */
function raised(version: string): string {
  const [major = '1', minor = '0'] = version.split(/[.+-]/)
  return `${major}.${BigInt(minor) + 1n}.0`
}
