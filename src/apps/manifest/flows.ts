// The rules of flows: scopes, references to skills and resources, conditions, and where each path leads.
import { meant } from '../../nearest.ts'
import { stepsOf } from '../../skills/faults.ts'
import { judge } from '../../skills/judge.ts'
import { checkCondition } from './conditions.ts'
import type { Steps } from './finding.ts'
import { baseOf, outputOf, resourceOf, type TriggerType } from './flow-shapes.ts'
import { type Kept, keptBy } from './kept.ts'
import { follow, object, type Shape } from './paths.ts'
import type { Breach } from './rules.ts'
import { scopeOfStep, scopesOfPath, subscription } from './scopes.ts'
import type { Condition, Flow, Manifest, Skill, Step } from './shape.ts'
import { isConstant, PATH, parseTemplate, textsIn } from './templates.ts'
import { checkValues } from './values.ts'

/** A flow as it is looked at: what it may name, and what its paths begin with. */
interface View {
  manifest: Manifest
  flow: Flow
  at: Steps
  /** What is there for every step. */
  base: Record<string, Shape>
  /** The outputs of steps, as far as they were met. */
  outputs: Record<string, Shape>
  /** Told of each path by which something leaves in the flow's inputs. */
  reads(path: string, at: Steps): void
}

/** What is wrong with the flows of a manifest. @param used is given the scopes that inputs of skills need */
export function* checkFlows(manifest: Manifest, triggers: readonly TriggerType[], used: Set<string>): Generator<Breach> {
  const kept = keptBy(manifest, triggers)
  for (const [index, flow] of (manifest.flows ?? []).entries()) yield* checkFlow(manifest, flow, ['flows', index], { triggers, used, kept })
}

interface Common {
  triggers: readonly TriggerType[]
  used: Set<string>
  kept: Kept
}

function* checkFlow(manifest: Manifest, flow: Flow, at: Steps, { triggers, used, kept }: Common): Generator<Breach> {
  const type = triggers.find(({ name }) => name === flow.trigger)
  const names = triggers.map(({ name }) => name)
  if (!type)
    yield {
      at: [...at, 'trigger'],
      code: 'unknown_event',
      message: `is ${JSON.stringify(flow.trigger)}, which is no event${meant(flow.trigger, names, `; there are ${names.join(', ')}`)}`,
    }
  else yield* requireScope(manifest, subscription(flow.trigger), [...at, 'trigger'])
  const unread: [string, Steps][] = []
  const view: View = {
    manifest,
    flow,
    at,
    base: baseOf(manifest, type),
    outputs: {},
    reads(path, where) {
      for (const scope of [...scopesOfPath(path, view.base['event']), ...kept(flow, path)]) {
        used.add(scope)
        if (!manifest.scopes.includes(scope)) unread.push([scope, where])
      }
    },
  }
  yield* checkConditions(view, flow.conditions, at)
  for (const [index, step] of flow.steps.entries()) {
    yield* checkStep(view, step, [...at, 'steps', index])
    view.outputs[step.id] = outputOf(manifest, step)
  }
  for (const [scope, where] of unread) yield* requireScope(manifest, scope, where)
}

function* requireScope({ scopes }: Manifest, scope: string, at: Steps): Generator<Breach> {
  if (!scopes.includes(scope)) yield { at, code: 'missing_scope', message: `needs the scope ${scope}; add it to scopes.` }
}

const rootOf = ({ base, outputs }: View): Shape => object({ ...base, steps: object(outputs) })

function* checkConditions(view: View, conditions: readonly Condition[] = [], at: Steps): Generator<Breach> {
  for (const [index, condition] of conditions.entries()) {
    const where = [...at, 'conditions', index]
    const shape = yield* pathShape(view, condition.field, [...where, 'field'])
    if (!shape) continue
    for (const breach of checkCondition(condition, shape)) yield { ...breach, at: [...where, ...breach.at] }
  }
}

/** @returns what a path leads to; undefined where it leads nowhere, which is told */
function* pathShape(view: View, path: string, at: Steps, { secrets = false } = {}): Generator<Breach, Shape | undefined> {
  if (!PATH.test(path)) {
    yield {
      at,
      code: 'unknown_path',
      message: `holds ${JSON.stringify(path.slice(0, 100))}, which is no path; write one such as event.order.number.`,
    }
    return undefined
  }
  const found = follow(rootOf(view), path)
  if ('why' in found) {
    yield { at, code: 'unknown_path', message: `names ${path}, ${laterStep(view, path) ?? found.why}` }
    return undefined
  }
  if (found.shape.secret && !secrets) {
    yield { at, code: 'secret_path', message: `names ${path}, a secret: it may stand in the input of call_skill alone.` }
    return undefined
  }
  return found.shape
}

function laterStep({ flow, outputs }: View, path: string): string | undefined {
  const [root, id] = path.split('.')
  const isLater = root === 'steps' && !Object.hasOwn(outputs, id as string) && flow.steps.some(step => step.id === id)
  return isLater ? `but the step ${id} has not run by then; name an earlier one.` : undefined
}

function* checkStep(view: View, step: Step, at: Steps): Generator<Breach> {
  const { manifest } = view
  yield* checkConditions(view, step.conditions, at)
  const scope = scopeOfStep(step)
  if (scope) yield* requireScope(manifest, scope, [...at, 'type'])
  switch (step.type) {
    case 'call_skill':
      return yield* checkCall(view, step, at)
    case 'create_record':
    case 'update_record':
      return yield* checkRecord(view, step, at)
    case 'tag_contact':
      return yield* checkTexts(view, step.tag, [...at, 'tag'])
    case 'send_message':
      return yield* checkTexts(view, step.text, [...at, 'text'])
    case 'notify':
      yield* checkTexts(view, step.title, [...at, 'title'])
      return yield* checkTexts(view, step.body, [...at, 'body'])
  }
}

function* checkCall(view: View, { skill: id, input }: Extract<Step, { type: 'call_skill' }>, at: Steps): Generator<Breach> {
  const skills = view.manifest.skills ?? []
  const skill = skills.find(each => each.id === id)
  const names = skills.map(each => each.id)
  if (!skill)
    yield {
      at: [...at, 'skill'],
      code: 'unknown_skill',
      message: `is ${JSON.stringify(id)}, which is no skill of this app${meant(id, names)}`,
    }
  yield* checkTexts(view, input, [...at, 'input'], { leaves: true })
  if (skill) yield* checkInput(skill, input, [...at, 'input'])
}

// Members with a template in them are left out, for what they will be is not known. Of what is left the first fault is told. What is required is looked at
// here, so that all steps that call a skill share one compiled schema.
function* checkInput({ id, inputSchema }: Skill, input: Record<string, unknown>, at: Steps): Generator<Breach> {
  const missing = [inputSchema['required'] ?? []].flat().find(name => typeof name === 'string' && !Object.hasOwn(input, name))
  if (missing !== undefined)
    return yield { at: [...at, missing as string], code: 'invalid_input', message: `is required by the inputSchema of ${id}.` }
  const constant = Object.fromEntries(Object.entries(input).filter(([, value]) => isConstant(value)))
  const [error] = judge({ ...inputSchema, required: [] }).check?.(constant) ?? []
  if (!error) return
  const { instancePath, message = 'is not valid', params } = error
  const steps = stepsOf(instancePath, constant)
  const member = (params as Record<string, string>)['missingProperty'] ?? (params as Record<string, string>)['additionalProperty']
  const what = message
    .replace(/^must have required property .*/, 'is required')
    .replace('must NOT have additional properties', 'is not a member')
  yield { at: [...at, ...steps, ...(member ? [member] : [])], code: 'invalid_input', message: `${what} by the inputSchema of ${id}.` }
}

function* checkRecord(view: View, step: Extract<Step, { type: 'create_record' | 'update_record' }>, at: Steps): Generator<Breach> {
  const resources = view.manifest.resources ?? []
  const resource = resourceOf(view.manifest, step.resource)
  const names = resources.map(({ id }) => id)
  if (!resource)
    yield {
      at: [...at, 'resource'],
      code: 'unknown_resource',
      message: `is ${JSON.stringify(step.resource)}, which is no resource of this app${meant(step.resource, names)}`,
    }
  yield* checkTexts(view, step.values, [...at, 'values'])
  if (step.external_id !== undefined) yield* checkTexts(view, step.external_id, [...at, 'external_id'])
  if (!resource) return
  const kindOf = (path: string) => {
    const found = follow(rootOf(view), path)
    return 'shape' in found ? found.shape.kind : undefined
  }
  const written = { values: step.values, resource, isNew: step.type === 'create_record', kindOf }
  for (const breach of checkValues(written)) yield { ...breach, at: [...at, 'values', ...breach.at] }
}

/** The templates in a value. @param leaves it leaves for the app's service: secrets may stand there, and what is read needs its scope */
function* checkTexts(view: View, value: unknown, at: Steps, { leaves = false } = {}): Generator<Breach> {
  for (const [inner, text] of textsIn(value, at)) {
    const template = parseTemplate(text)
    if (!template) {
      yield {
        at: inner,
        code: 'invalid_template',
        message: 'holds a {{ that is not closed, or has no path in it; write {{event.order.number}}.',
      }
      continue
    }
    for (const path of template.paths) {
      const shape = yield* pathShape(view, path, inner, { secrets: leaves })
      if (shape && leaves) view.reads(path, inner)
    }
  }
}
