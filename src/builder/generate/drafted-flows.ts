// Flows of a draft, their steps, and the skills that they call.
import type { Flow, Skill, Step } from '../../apps/manifest/shape.ts'
import { MANIFEST_LISTS } from '../../limits/apps.ts'
import { type Draft, note, put } from './draft.ts'
import { free, idOf, lastPart, titleOf } from './names.ts'

/** The skill at an address, with these arguments besides its own. */
export function skillAt(draft: Draft, endpoint: string, inputs: readonly string[], description: string, name = ''): Skill | undefined {
  const { skills } = draft.manifest
  const known = skills.find(each => each.endpoint === endpoint)
  const skill = known ?? {
    id: free(
      idOf(lastPart(endpoint), 'call'),
      skills.map(({ id }) => id),
    ),
    name: titleOf(name) || titleOf(lastPart(endpoint)) || 'Call',
    description,
    endpoint,
    inputSchema: { type: 'object', properties: {} },
  }
  skill.inputSchema['properties'] ??= {}
  const properties = skill.inputSchema['properties'] as Record<string, unknown>
  for (const name of inputs) if (!Object.hasOwn(properties, name)) properties[name] = {}
  return known || put(draft, 'skills', skill) ? skill : undefined
}

export function addFlow(draft: Draft, trigger: string, name: string): Flow | undefined {
  const { flows } = draft.manifest
  const flow: Flow = {
    id: free(
      trigger.replaceAll(/[._]/g, '-'),
      flows.map(({ id }) => id),
    ),
    name: titleOf(name).slice(0, 90) || titleOf(trigger),
    trigger,
    steps: [],
  }
  if (!put(draft, 'flows', flow)) return undefined
  draft.flow = flow
  draft.isFlowTold = true
  return flow
}

/** A step without its id, whatever its type. */
export type NewStep = Step extends infer S ? (S extends Step ? Omit<S, 'id'> : never) : never

export function addStep(draft: Draft, flow: Flow, step: NewStep): void {
  if (flow.steps.length >= MANIFEST_LISTS.steps) {
    note(draft, `A flow has at most ${MANIFEST_LISTS.steps} steps; the rest is left out.`)
    return
  }
  const id = free(
    STEP_IDS[step.type],
    flow.steps.map(each => each.id),
  )
  flow.steps.push({ id, ...step } as Step)
}

const STEP_IDS: Record<Step['type'], string> = {
  call_skill: 'call',
  create_record: 'record',
  update_record: 'update',
  tag_contact: 'tag',
  send_message: 'message',
  notify: 'notify',
  wait: 'wait',
}
