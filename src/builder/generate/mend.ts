// A draft that could not be installed is mended where one part alone stands in the way: the part is left out, and that is told.
import { type CheckOptions, checkManifest } from '../../apps/manifest/check.ts'
import type { Manifest } from '../../apps/manifest/shape.ts'
import { isJsonObject } from '../../json.ts'
import { clean } from './clean.ts'

/** As often as a draft is looked at again; each time one part is mended. */
const ROUNDS = 10

export function mend(written: unknown, options: CheckOptions): { manifest: unknown; notes: string[] } {
  const notes: string[] = []
  if (!isJsonObject(written)) return { manifest: written, notes }
  for (let round = 0; round < ROUNDS; round++) {
    const { errors } = checkManifest(clean(written, options).manifest, options)
    const note = errors
      .map(({ path, code, message }) => mendOne(written as unknown as Manifest, path, code, message))
      .find(each => each !== undefined)
    if (note === undefined) break
    notes.push(note)
  }
  return { manifest: written, notes }
}

/** @returns what was left out, and why; undefined where it is not known how */
function mendOne({ resources = [], flows = [] }: Manifest, path: string, code: string, message: string): string | undefined {
  const [, at, list, place, value] = /^flows\[(\d+)\]\.(conditions|steps)\[(\d+)\](?:\.values\.([\w-]+))?/.exec(path) ?? []
  const flow = flows[Number(at ?? -1)]
  if (!flow) return undefined
  if (list === 'conditions') {
    const [gone] = flow.conditions?.splice(Number(place), 1) ?? []
    flow.enabled = false
    return `Left out of the flow "${flow.name}": its condition on ${gone?.field} ${message} The flow is disabled, for without that it would do more than was asked.`
  }
  const step = flow.steps[Number(place)]
  const field =
    step && 'resource' in step ? resources.find(({ id }) => id === step.resource)?.fields.find(({ name }) => name === value) : undefined
  if (field?.required && code === 'required') {
    delete field.required
    return `${field.name} is not required: the flow "${flow.name}" makes records without it. Say what it is to be there first.`
  }
  if (step && flow.steps.length > 1) {
    flow.steps.splice(Number(place), 1)
    return `Left out of the flow "${flow.name}": its step ${step.id}; ${path} ${message}`
  }
  return undefined
}
