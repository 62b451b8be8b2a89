// What is taken out of an app, with all that names it.
import type { Resource, Step, View } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import type { Target } from './meant.ts'
import { bare, isSame } from './names.ts'
import { stepIn, typeOfDeed } from './step-names.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'

export const stepsOf = (draft: Draft): Step[] => draft.manifest.flows.flatMap(({ steps }) => steps)

/** A flow of which no step is left, or a wait alone, goes too. */
export function keepSteps(draft: Draft, isKept: (step: Step) => boolean): void {
  for (const flow of draft.manifest.flows) {
    const kept = flow.steps.filter(isKept)
    // What only waits does nothing.
    const isIdle = kept.length < flow.steps.length && kept.every(({ type }) => type === 'wait')
    flow.steps = isIdle ? [] : kept
  }
  draft.manifest.flows = draft.manifest.flows.filter(({ steps }) => steps.length > 0)
  if (draft.flow && !draft.manifest.flows.includes(draft.flow)) draft.flow = draft.manifest.flows.at(-1)
}

const REMOVE = '(?:remove|delete|drop)'
const TABS: [RegExp, View['target']][] = [
  [/\b(?:contacts?|customers?|clients?)\b/i, 'contact.tabs'],
  [/\bproducts?\b/i, 'product.tabs'],
]

/** "remove the tab", "delete all flows", "drop the product tab" */
export function removeAll(draft: Draft, text: string): boolean {
  const [, whose = '', kind = '', where = ''] =
    new RegExp(
      `^${REMOVE} (?:the |all |all the |all of the |every |both |our )*((?:contact|customer|client|product|dashboard)(?:'s)? )?(tabs?|pages?|views?|flows?)(?: (?:on|of|under|from|in) (?:the |each |every )*(contact|customer|client|product|dashboard)(?:'?s)?(?: page| card| profile)?)?$`,
      'i',
    ).exec(text) ?? []
  if (kind === '') return false
  const { manifest } = draft
  const isEach = /\ball\b|\bevery\b|\bflows\b/i.test(text)
  if (/^flows?$/i.test(kind)) {
    const flow = draft.flow ?? manifest.flows.at(-1)
    manifest.flows = manifest.flows.filter(other => !isEach && other !== flow)
    draft.flow = manifest.flows.at(-1)
    return true
  }
  const target = TABS.find(([pattern]) => pattern.test(`${whose} ${where}`))?.[1]
  const isPage = /^page/i.test(kind) || /dashboard/i.test(`${whose} ${where}`)
  const kept = manifest.views.filter(each =>
    target ? each.target !== target : !/^view/i.test(kind) && (each.target === 'dashboard.page') !== isPage,
  )
  const isFound = kept.length < manifest.views.length
  manifest.views = kept
  return isFound
}

/** "Don't delete it", "keep the flow": what is there stays. */
export function stay(draft: Draft, text: string): boolean {
  const [all, what = ''] =
    /^(?:don't|do not|never) (?:delete|remove|drop|throw away) ([^,]{2,40})$/i.exec(text) ??
    /^(?:keep|leave) ((?:it|them|the [^,:]{2,40}?))(?: (?:as (?:it is|they are)|there|alone|untouched))?$/i.exec(text) ??
    []
  // "… any more; just tag them": what is left.
  const [, left = ''] =
    /^(?:(?:just|only|simply|still)(?: keep)? )?([a-z]+) (?:it|them|us|him|her|the (?:customer|team|buyer))$/i.exec(text) ?? []
  const type = left === '' ? undefined : typeOfDeed(left)
  if (type && draft.isEdit && draft.flow?.steps.some(step => step.type === type)) {
    draft.isSettled = true
    return true
  }
  const target = what === '' || / (?:with|of|in|on|for|from|to) /i.test(what) ? undefined : targetOf(draft, what)
  if (!all || !target || !draft.isEdit) return false
  speakOf(draft, target)
  draft.isSettled = true
  return true
}

/** "remove the reason and the comment", "delete the knowledge entry about returns", "drop the wait" */
export function removeNamed(draft: Draft, text: string): boolean {
  const [, said = ''] = new RegExp(`^${REMOVE} (.{1,200})$`, 'i').exec(text) ?? []
  // "the breed, not the birthday": what stays is said beside what goes.
  const [listed = '', kept] = said.split(/,? (?:and |but )?not (?:the )?/)
  if (listed === '') return false
  // "make a page for complaints and remove their tab"
  const [, kind] = /^(?:their|its) (tab|page)$/i.exec(listed) ?? []
  const views = draft.manifest.views.filter(
    view => view.component === `list:${draft.resource?.id}` && (view.target === 'dashboard.page') === /page/i.test(kind ?? ''),
  )
  if (kind !== undefined && views.length > 0) {
    draft.manifest.views = draft.manifest.views.filter(view => !views.includes(view))
    return true
  }
  if (kept !== undefined && !targetOf(draft, kept)) return false
  // "we do not need the tires, delete them": they are gone already.
  if (
    /^(?:it|them|that|this|these|those)$/i.test(listed) &&
    /\b(?:no longer|not|don't|doesn't|never)\b.*\b(?:need|use|want)|^(?:please )?(?:remove|delete|drop)\b/i.test(draft.before)
  ) {
    draft.isSettled = true
    return true
  }
  if (/ (?:from|of|in) /i.test(listed) && removeValue(draft, listed)) return true
  if (
    /^(?:the )?(?:tag|tagging|wait|pause|delay|notification|notice|message|call|record|step)\b.* (?:from|of|in) /i.test(listed) &&
    removeStep(draft, listed)
  )
    return true
  if (removeView(draft, listed)) return true
  const several = listed.split(/\s*,\s*(?:and )?(?:the )?|\s+and\s+(?:the )?/)
  const targets = several.length > 1 ? several.map(name => targetOf(draft, name)) : []
  if (targets.length > 1 && targets.every(each => each !== undefined)) {
    for (const each of targets) take(draft, each)
    return true
  }
  if (removeValue(draft, listed) || removeOnlyValue(draft, listed)) return true
  const whole = targetOf(draft, listed)
  if (whole && several.length === 1) {
    take(draft, whole)
    return true
  }
  if (removeValue(draft, listed) || removeStep(draft, listed)) return true
  const names = listed.split(/\s*,\s*(?:and )?(?:the )?|\s+and\s+(?:the )?/)
  if (names.length < 2) return false
  let found = false
  for (const name of names) {
    const target = targetOf(draft, name)
    if (target) take(draft, target)
    if (target || removeStep(draft, name)) found = true
    else notUnderstood(draft, `remove ${name}`)
  }
  return found
}

/** "the Parcels page from the dashboard": a view, and no step that has something of that name. */
function removeView(draft: Draft, listed: string): boolean {
  const [, name = '', kind = '', where = ''] =
    /^(?:the |our )?(.{2,60}?) (page|tab|view|panel|list)s?(?: (?:from|on|of|in|under) (?:the |each |every |our )*(dashboard|contact|customer|client|product)s?)?$/i.exec(
      listed,
    ) ?? []
  if (name === '') return false
  const { manifest } = draft
  const target =
    TABS.find(([pattern]) => pattern.test(where))?.[1] ?? (/dashboard/i.test(where) || /page/i.test(kind) ? 'dashboard.page' : undefined)
  const resource = resourceNamed(draft, name)
  const isMeant = (view: View): boolean =>
    (isSame(view.name, name) || isSame(view.id, name) || view.component === `list:${resource?.id}`) &&
    (target ? view.target === target : !/tab/i.test(kind) || view.target !== 'dashboard.page')
  const found = manifest.views.filter(isMeant)
  if (found.length !== 1) return false
  manifest.views = manifest.views.filter(view => !isMeant(view))
  if (resource) draft.resource = resource
  return true
}

export function take(draft: Draft, target: Target): void {
  const { manifest } = draft
  speakOf(draft, target)
  draft.spoken = undefined
  if (target.kind === 'field') {
    const { resource, field } = target
    resource.fields = resource.fields.filter(each => each !== field)
    for (const step of stepsOf(draft)) if ('values' in step && step.resource === resource.id) delete step.values[field.name]
    if (resource.fields.length === 0) removeResource(draft, resource)
  } else if (target.kind === 'resource') removeResource(draft, target.resource)
  else if (target.kind === 'setting') manifest.config = manifest.config.filter(each => each !== target.setting)
  else if (target.kind === 'knowledge') manifest.knowledge = manifest.knowledge.filter(each => each !== target.entry)
  else if (target.kind === 'view') manifest.views = manifest.views.filter(each => each !== target.view)
  else if (target.kind === 'flow') {
    manifest.flows = manifest.flows.filter(each => each !== target.flow)
    draft.flow = manifest.flows.at(-1)
  } else {
    manifest.skills = manifest.skills.filter(each => each !== target.skill)
    keepSteps(draft, step => step.type !== 'call_skill' || step.skill !== target.skill.id)
  }
}

function removeResource(draft: Draft, resource: Resource): void {
  const { manifest } = draft
  manifest.resources = manifest.resources.filter(each => each !== resource)
  manifest.views = manifest.views.filter(({ component }) => component !== `list:${resource.id}`)
  keepSteps(draft, step => !('resource' in step) || step.resource !== resource.id)
  if (draft.resource === resource) draft.resource = undefined
}

/** "the value overdue": of the only thing that has it. */
function removeOnlyValue(draft: Draft, listed: string): boolean {
  const [, value = ''] = /^(?:the )?(?:values?|choices?|options?|state|status|level) (.{1,60})$/i.exec(listed) ?? []
  const said = bare(unquoted(draft, value)).toLowerCase()
  const { resources, config } = draft.manifest
  const having = [...resources.flatMap(({ fields }) => fields), ...config].filter(each =>
    each.enumValues?.some(one => one.toLowerCase() === said),
  )
  const [item] = having
  if (value === '' || having.length !== 1 || !item?.enumValues || item.enumValues.length < 2) return false
  item.enumValues = item.enumValues.filter(each => each.toLowerCase() !== said)
  return true
}

/** "lost from the states": a value of an enum. */
function removeValue(draft: Draft, listed: string): boolean {
  // "the reason «gift»"
  const [, called = '', quoted = ''] = /^(?:the )?(.{2,40}?) («\d+»)$/.exec(listed) ?? []
  const [, value = '', name = ''] =
    (called === '' || /\b(?:tag|value|field|entry|page|tab|flow)$/i.test(called) ? null : ['', quoted, called]) ??
    /^(?:the )?(?:value |choice |option )?(.{1,60}?) (?:from|of|in) (?:the )?(?:values |choices |options )?(?:of |for )?(?:the )?(.{1,60})$/i.exec(
      listed,
    ) ??
    []
  const target = value === '' ? draft.spoken : targetOf(draft, name.replace(/ (?:values|choices|options|list)$/i, ''), ['field', 'setting'])
  const item = target?.kind === 'field' ? target.field : target?.kind === 'setting' ? target.setting : undefined
  const said = bare(unquoted(draft, value || listed)).toLowerCase()
  const kept = item?.enumValues?.filter(each => each.toLowerCase() !== said) ?? []
  if (!item?.enumValues || kept.length === 0 || kept.length === item.enumValues.length) return false
  item.enumValues = kept
  if (target) speakOf(draft, target)
  return true
}

function removeStep(draft: Draft, words: string): boolean {
  // More words than a step has are another thought.
  if (
    words.split(' ').length > 9 ||
    /\b(?:page|tab|view|panel|field|column|setting)s?\b/i.test(words) ||
    /\b(?:is|are|was|were|enough|we|it|they|should|show|add|put|rename|make|instead|list|display)\b/i.test(words)
  )
    return false
  const [, name = words, of] = /^(.+?) (?:from|of|in) (?:the )?(.+?)(?: flow)?$/i.exec(words) ?? []
  const flow = of === undefined ? undefined : targetOf(draft, of.replace(/^flow (?:of|for|about) (?:the )?/i, ''), ['flow'])
  if (flow) speakOf(draft, flow)
  const found = stepIn(draft, name)
  if (!found) return false
  keepSteps(draft, step => step !== found.step)
  return true
}
