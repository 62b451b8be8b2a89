// What the paths of a flow lead to, and what its app keeps of events, worked out once for each manifest: a manifest is the same object as long as it is kept.
import { shapeOfFlow, type TriggerType } from '../../apps/manifest/flow-shapes.ts'
import { type Kept, keptBy } from '../../apps/manifest/kept.ts'
import type { Shape } from '../../apps/manifest/paths.ts'
import type { Flow, Manifest } from '../../apps/manifest/shape.ts'

const shapes = new WeakMap<Manifest, Map<string, Shape>>()

/** @param triggers the types of events */
export function shapeOf(manifest: Manifest, flow: Flow, triggers: readonly TriggerType[]): Shape {
  const known = shapes.get(manifest) ?? new Map<string, Shape>()
  shapes.set(manifest, known)
  const before = known.get(flow.id)
  if (before) return before
  const shape = shapeOfFlow(
    manifest,
    flow,
    triggers.find(({ name }) => name === flow.trigger),
  )
  known.set(flow.id, shape)
  return shape
}

const kepts = new WeakMap<Manifest, Kept>()

/** What of events the app keeps in its records. @param triggers the types of events */
export function keptIn(manifest: Manifest, triggers: readonly TriggerType[]): Kept {
  const kept = kepts.get(manifest) ?? keptBy(manifest, triggers)
  kepts.set(manifest, kept)
  return kept
}
