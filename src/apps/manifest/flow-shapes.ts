// What the paths of a flow lead to: the event that it begins with, the app's settings, and the outputs of its steps.
import type { TSchema } from 'typebox'
import { ANY, BOOLEAN, choiceOf, NUMBER, object, type Shape, shapeOf, TEXT, TIME } from './paths.ts'
import type { Config, Field, Flow, Manifest, Resource, Skill, Step } from './shape.ts'

/** An event type as flows see it. */
export interface TriggerType {
  name: string
  /** The schema of an event's data. */
  data: TSchema
}

/** What the paths of a flow begin with when all of its steps have run. @param type of the event that it begins with; undefined where that is none */
export const shapeOfFlow = (manifest: Manifest, { steps }: Flow, type: TriggerType | undefined): Shape =>
  object({ ...baseOf(manifest, type), steps: object(Object.fromEntries(steps.map(step => [step.id, outputOf(manifest, step)]))) })

export const baseOf = (manifest: Manifest, type: TriggerType | undefined): Record<string, Shape> => ({
  event: type ? dataOf(type) : ANY,
  trigger: object({ id: TEXT, type: TEXT, created_at: TIME }),
  config: object(Object.fromEntries((manifest.config ?? []).map(each => [each.key, declared(each)]))),
  run: object({ id: TEXT }),
})

/** What the paths lead to that name the event. */
export const shapeOfEvent = (type: TriggerType): Shape => object({ event: dataOf(type) })

/** One for all flows: a workspace may have a thousand of them on one type. */
function dataOf({ data }: TriggerType): Shape {
  const shape = shapes.get(data) ?? shapeOf(data)
  shapes.set(data, shape)
  return shape
}
const shapes = new WeakMap<TSchema, Shape>()

/** What a setting or a field of each type holds. */
const SHAPES: Record<Exclude<(Config | Field)['type'], 'enum'>, Shape> = {
  string: TEXT,
  number: NUMBER,
  boolean: BOOLEAN,
  date: TIME,
  secret: { ...TEXT, secret: true },
}

const declared = ({ type, enumValues = [] }: Config | Field): Shape => (type === 'enum' ? choiceOf(enumValues) : SHAPES[type])

export function outputOf(manifest: Manifest, step: Step): Shape {
  const failed = step.on_error === 'continue' ? { error: object({ code: TEXT, message: TEXT }) } : {}
  const output = outputShape(manifest, step)
  return object({ ...(output && { output }), ...failed })
}

function outputShape(manifest: Manifest, step: Step): Shape | undefined {
  switch (step.type) {
    case 'call_skill':
      return outputOfSkill(manifest.skills?.find(({ id }) => id === step.skill))
    case 'create_record':
      return recordShape(resourceOf(manifest, step.resource), { created: BOOLEAN })
    case 'update_record':
      return recordShape(resourceOf(manifest, step.resource))
    case 'tag_contact':
      return object({ contact_id: TEXT, added: BOOLEAN })
    case 'send_message':
      return object({ message_id: TEXT })
    case 'notify':
      return object({ notification_id: TEXT })
    case 'wait':
      return undefined
  }
}

// An author's schema may say where a member is in ways that are not followed here, so what it does not name may still be there.
function outputOfSkill(skill: Skill | undefined): Shape {
  const shape = shapeOf(skill?.outputSchema)
  return shape.members && skill?.outputSchema?.['additionalProperties'] !== false ? { ...shape, each: ANY } : shape.members ? shape : ANY
}

export const resourceOf = ({ resources = [] }: Manifest, id: string): Resource | undefined => resources.find(each => each.id === id)

function recordShape(resource: Resource | undefined, more: Record<string, Shape> = {}): Shape {
  if (!resource) return ANY
  const own = Object.fromEntries(resource.fields.map(field => [field.name, declared(field)]))
  const links: Shape = { kind: 'list', each: object({ target: TEXT, id: TEXT }) }
  return object({
    object: TEXT,
    id: TEXT,
    resource: TEXT,
    external_id: TEXT,
    version: NUMBER,
    created_at: TIME,
    updated_at: TIME,
    links,
    ...own,
    ...more,
  })
}
