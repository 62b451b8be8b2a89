// Takes out of a manifest what must never be in one, and computes what it asks for. Whether a model or the generator wrote it, the scopes are those that it
// uses, no address is in it that may not be called, and no credential.
import type { CheckOptions } from '../../apps/manifest/check.ts'
import { checkFlows } from '../../apps/manifest/flows.ts'
import { checkFrameUrl } from '../../apps/manifest/frame-url.ts'
import { plainScopes, scopeNames } from '../../apps/manifest/scopes.ts'
import { type Manifest, Manifest as ManifestSchema } from '../../apps/manifest/shape.ts'
import { fits } from '../../ingress/validate.ts'
import { isJsonObject } from '../../json.ts'
import { checkUrl } from '../../outbound/address.ts'

export interface Cleaned {
  manifest: unknown
  /** What was taken out, and why. */
  notes: string[]
}

type Json = Record<string, unknown>
const LISTS = ['resources', 'skills', 'views', 'knowledge', 'config', 'flows']

export function clean(value: unknown, options: CheckOptions): Cleaned {
  if (!isJsonObject(value)) return { manifest: value, notes: [] }
  const notes: string[] = []
  const manifest = structuredClone(value)
  withoutCredentials(manifest)
  withoutAddresses(manifest, options, notes)
  return { manifest: withScopes(manifest, options), notes }
}

// Where members of ours stand, and not inside an author's own schemas and values, where the name may mean something else.
function withoutCredentials(manifest: Json): void {
  const strip = (part: unknown): void => {
    if (isJsonObject(part)) delete part['auth']
  }
  strip(manifest)
  for (const list of LISTS)
    for (const entry of entriesOf(manifest, list)) {
      strip(entry)
      for (const inner of ['fields', 'relations', 'conditions', 'steps']) entriesOf(entry, inner).forEach(strip)
    }
}

const entriesOf = (holder: unknown, list: string): Json[] => {
  const entries = isJsonObject(holder) ? holder[list] : undefined
  return Array.isArray(entries) ? entries.filter(isJsonObject) : []
}

function withoutAddresses(manifest: Json, { outbound }: CheckOptions, notes: string[]): void {
  const refused = new Set<unknown>()
  if (Array.isArray(manifest['skills']))
    manifest['skills'] = manifest['skills'].filter(skill => {
      const endpoint = isJsonObject(skill) ? skill['endpoint'] : undefined
      const problem = typeof endpoint === 'string' ? checkUrl(endpoint, outbound) : undefined
      if (!problem) return true
      notes.push(`Left out: ${String(endpoint).slice(0, 200)} ${problem.message}`)
      refused.add((skill as Json)['id'])
      return false
    })
  if (Array.isArray(manifest['views']))
    manifest['views'] = manifest['views'].filter(view => {
      const component = isJsonObject(view) ? view['component'] : undefined
      const problem = typeof component === 'string' && component.startsWith('custom:') ? checkFrameUrl(component.slice(7)) : undefined
      if (problem) notes.push(`Left out: ${String(component).slice(7, 207)} ${problem.message}`)
      return !problem
    })
  if (refused.size > 0 && Array.isArray(manifest['flows'])) {
    for (const flow of entriesOf(manifest, 'flows'))
      if (Array.isArray(flow['steps']))
        flow['steps'] = flow['steps'].filter(step => !(isJsonObject(step) && step['type'] === 'call_skill' && refused.has(step['skill'])))
    manifest['flows'] = manifest['flows'].filter(
      flow => !(isJsonObject(flow) && Array.isArray(flow['steps']) && flow['steps'].length === 0),
    )
  }
  for (const list of ['skills', 'views', 'flows'])
    if (Array.isArray(manifest[list]) && (manifest[list] as unknown[]).length === 0) delete manifest[list]
}

/** Only of what has the shape of a manifest can be said what it uses. */
function withScopes(manifest: Json, { triggers }: CheckOptions): unknown {
  if (!fits(ManifestSchema, { ...manifest, scopes: [] })) return manifest
  const whole = { ...manifest, scopes: [] } as unknown as Manifest
  const used = plainScopes(whole)
  // Looked through for the scopes that inputs of skills need.
  for (const _breach of checkFlows(whole, triggers, used));
  const known = scopeNames(triggers.map(({ name }) => name))
  return { ...manifest, scopes: known.filter(scope => used.has(scope)) }
}
