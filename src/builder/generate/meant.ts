// The parts of an app that words may mean.
import type { Config, Field, Flow, Manifest, Resource, Skill, View } from '../../apps/manifest/shape.ts'

type Knowledge = NonNullable<Manifest['knowledge']>[number]

export type Target =
  | { kind: 'field'; resource: Resource; field: Field }
  | { kind: 'resource'; resource: Resource }
  | { kind: 'setting'; setting: Config }
  | { kind: 'skill'; skill: Skill }
  | { kind: 'view'; view: View }
  | { kind: 'flow'; flow: Flow }
  | { kind: 'knowledge'; entry: Knowledge }
