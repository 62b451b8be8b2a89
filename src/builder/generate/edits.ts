// Sentences that change what is there: add to it, rename, remove, make required.
import type { Resource, Step, View } from '../../apps/manifest/shape.ts'
import { addFields, type Draft, notUnderstood, resourceNamed } from './draft.ts'
import { fieldOf, itemsOf } from './fields.ts'
import { bare, free, idOf, isSame, nameOf, titleOf } from './names.ts'
import { renameField, renameResource } from './rename.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { conditionsOf, occasionOf } from './triggers.ts'

/** @returns whether the sentence was an edit of what is there */
export const readEdit = (draft: Draft, sentence: string): boolean => {
  const text = sentence.replace(/^(?:please|and|now|also),? /i, '')
  return EDITS.some(edit => edit(draft, text))
}

type Edit = (draft: Draft, text: string) => boolean

/** A field by its name: of the resource that is named, or of the first that has one. */
function fieldNamed(draft: Draft, name: string, of?: string): { resource: Resource; index: number } | undefined {
  const resources =
    of === undefined ? [...draft.manifest.resources].sort(each => (each === draft.resource ? -1 : 0)) : [resourceNamed(draft, of)]
  for (const resource of resources) {
    const index = resource?.fields.findIndex(each => isSame(each.name, name)) ?? -1
    if (resource && index >= 0) return { resource, index }
  }
  return undefined
}

const KIND = '(?:the |a |an )?(?:(field|resource|setting|skill|flow|page|tab|view|app) )?(?:called |named )?'

function rename(draft: Draft, text: string): boolean {
  const [, kind, from = '', to = ''] =
    new RegExp(`^(?:rename|call) ${KIND}(.{1,60}?)(?: of .{1,60}?)? (?:to|into|as|instead) (.{1,60})$`, 'i').exec(text) ?? []
  const [, toApp] = /^(?:rename|call) (?:the|this) app (?:to |into |as )?(.{1,60})$/i.exec(text) ?? []
  if (toApp !== undefined || /^(?:the |this )?app$/i.test(from)) {
    draft.manifest.name = draft.said.restore(toApp ?? to).replaceAll('"', '')
    return true
  }
  if (from === '') return false
  const name = new RegExp(QUOTE).test(to) ? draft.said.quote(to) : to
  const resource = kind?.toLowerCase() === 'field' ? undefined : resourceNamed(draft, bare(from))
  if (resource) {
    const { resources } = draft.manifest
    renameResource(
      draft.manifest,
      resource,
      free(
        idOf(name, 'records'),
        resources.filter(each => each !== resource).map(({ id }) => id),
      ),
      titleOf(name),
    )
    return true
  }
  const field = fieldNamed(draft, bare(from))
  const next = nameOf(name)
  if (!field || next === '' || field.resource.fields.some(each => each.name === next)) return false
  renameField(draft.manifest, field.resource, field.index, next)
  return true
}

const REMOVE = '(?:remove|delete|drop|get rid of|take away|take out|leave out)'

function remove(draft: Draft, text: string): boolean {
  const [, kind = '', name = '', of] =
    new RegExp(`^${REMOVE} ${KIND}(.{1,60}?)(?: (?:from|of|in) (?:the )?(.{1,60}))?$`, 'i').exec(`${text}`) ?? []
  const [, alone] = new RegExp(`^${REMOVE} (?:the |all )?(tabs?|pages?|views?|flows?)\\b`, 'i').exec(text) ?? []
  if (alone !== undefined) return removeAll(draft, alone.toLowerCase().replace(/s$/, ''))
  if (name === '') return false
  const { manifest } = draft
  const resource = /^field$/i.test(kind) ? undefined : resourceNamed(draft, bare(name))
  if (resource && of === undefined) {
    removeResource(draft, resource)
    return true
  }
  const field = fieldNamed(draft, bare(name).replace(/ field$/i, ''), of)
  if (field) {
    const [gone] = field.resource.fields.splice(field.index, 1)
    for (const step of stepsOf(draft)) if ('values' in step && step.resource === field.resource.id && gone) delete step.values[gone.name]
    if (field.resource.fields.length === 0) removeResource(draft, field.resource)
    return true
  }
  const setting = manifest.config.findIndex(({ key }) => isSame(key, name.replace(/ setting$/i, '')))
  if (setting >= 0) manifest.config.splice(setting, 1)
  const skill = manifest.skills.find(({ id, name: title }) => isSame(id, name) || isSame(title, name))
  if (skill) {
    manifest.skills = manifest.skills.filter(each => each !== skill)
    keepSteps(draft, step => step.type !== 'call_skill' || step.skill !== skill.id)
  }
  return setting >= 0 || skill !== undefined
}

function removeAll(draft: Draft, kind: string): boolean {
  const { manifest } = draft
  if (kind === 'flow') {
    const flow = draft.flow ?? manifest.flows.at(-1)
    manifest.flows = manifest.flows.filter(each => each !== flow)
    draft.flow = manifest.flows.at(-1)
    return true
  }
  const isGone = ({ target }: View): boolean => kind === 'view' || (target === 'dashboard.page') === (kind === 'page')
  manifest.views = manifest.views.filter(each => !isGone(each))
  return true
}

function removeResource(draft: Draft, resource: Resource): void {
  const { manifest } = draft
  manifest.resources = manifest.resources.filter(each => each !== resource)
  manifest.views = manifest.views.filter(({ component }) => component !== `list:${resource.id}`)
  keepSteps(draft, step => !('resource' in step) || step.resource !== resource.id)
  if (draft.resource === resource) draft.resource = undefined
}

const stepsOf = (draft: Draft): Step[] => draft.manifest.flows.flatMap(({ steps }) => steps)

/** A flow of which no step is left goes too. */
function keepSteps(draft: Draft, isKept: (step: Step) => boolean): void {
  for (const flow of draft.manifest.flows) flow.steps = flow.steps.filter(isKept)
  draft.manifest.flows = draft.manifest.flows.filter(({ steps }) => steps.length > 0)
  if (draft.flow && !draft.manifest.flows.includes(draft.flow)) draft.flow = draft.manifest.flows.at(-1)
}

const DEEDS: [RegExp, Step['type']][] = [
  [/\btag/i, 'tag_contact'],
  [/\b(?:notify|alert|warn|inform|tell)\w* (?:the team|us|the staff)/i, 'notify'],
  [/\b(?:message|write|send|tell)/i, 'send_message'],
  [/\bwait/i, 'wait'],
  [/\bcall/i, 'call_skill'],
  [/\b(?:record|create|save|store)/i, 'create_record'],
]

function stop(draft: Draft, text: string): boolean {
  const [, words] =
    /^(?:don't|do not|stop|no longer|never|it should not|it shouldn't)\s+(.+?)(?: any ?more| any longer)?$/i.exec(text) ?? []
  const type = words && DEEDS.find(([pattern]) => pattern.test(words))?.[1]
  if (!type || !stepsOf(draft).some(step => step.type === type)) return false
  keepSteps(draft, step => step.type !== type)
  return true
}

function demand(draft: Draft, text: string): boolean {
  const [, name = '', how = ''] =
    /^make (?:the )?(?:field )?(.{1,60}?) (required|mandatory|optional)$/i.exec(text) ??
    /^(?:the )?(?:field )?(.{1,60}?) (?:should be|must be|is|becomes?|are) (?:now )?(required|mandatory|optional|not required)$/i.exec(
      text,
    ) ??
    []
  const [, field = name, of] = /^(.+) of (.+)$/i.exec(name) ?? []
  const found = name === '' ? undefined : fieldNamed(draft, bare(field), of)
  const setting = draft.manifest.config.find(({ key }) => isSame(key, name))
  const item = found?.resource.fields[found.index] ?? setting
  if (!item) return false
  if (/^(?:required|mandatory)$/i.test(how)) item.required = true
  else delete item.required
  return true
}

function addValue(draft: Draft, text: string): boolean {
  const [, values = '', name = ''] =
    /^add (.{1,200}?) to (?:the )?(?:values|choices|options) of (?:the )?(?:field )?(.{1,60})$/i.exec(text) ??
    /^add (?:the )?(?:values?|choices?|options?) (.{1,200}?) to (?:the )?(?:field )?(.{1,60})$/i.exec(text) ??
    []
  const [, can = '', also = ''] = /^(?:the )?(.{1,60}?) (?:can|may|could|should) also be (.{1,200})$/i.exec(text) ?? []
  const found = fieldNamed(draft, bare(name || can))
  const field = found?.resource.fields[found.index]
  if (!field?.enumValues) return false
  const added = (values || also)
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or)\s+/)
    .map(each => (each.startsWith('«') ? draft.said.quote(each) : bare(each)))
  field.enumValues = [...new Set([...field.enumValues, ...added.filter(each => each !== '')])].slice(0, 100)
  return true
}

function addField(draft: Draft, text: string): boolean {
  const [, items = '', to = ''] = /^(?:add|give) (.{1,400}?) to (?:the |each |every |a |all )?(.{1,60})$/i.exec(text) ?? []
  const [, owner = '', owned = ''] =
    /^(?:the |each |every |an? )?(.{1,60}?) (?:should|must|needs? to|can|could|shall)(?: also)? (?:have|get|hold) (.{1,400})$/i.exec(
      text,
    ) ?? []
  const [, alone = ''] =
    /^add ((?:an? )?(?:new )?(?:required |optional )?(?:(?:number|boolean|date|text|enum|yes\/no) )?field .{1,200})$/i.exec(text) ?? []
  const named = to || owner
  const resource = named === '' ? (alone ? draft.resource : undefined) : resourceNamed(draft, bare(named))
  if (!resource) return false
  const fields = itemsOf(items || owned || alone).flatMap(item => {
    const field = fieldOf(item.replace(/^(?:an? )?new /i, ''))
    if (!field) notUnderstood(draft, item)
    return field ? [field] : []
  })
  draft.resource = resource
  addFields(draft, resource, fields)
  return fields.length > 0
}

function callInstead(draft: Draft, text: string): boolean {
  const mark = new RegExp(URL_MARK).exec(text)?.[0]
  const steps = draft.flow?.steps.flatMap(step => (step.type === 'call_skill' ? [step.skill] : [])) ?? []
  const skill = draft.manifest.skills.find(({ id }) => steps.includes(id)) ?? draft.manifest.skills.at(-1)
  const isInstead = /\binstead\b|^(?:change|set) (?:the )?(?:address|url|endpoint)|^use /i.test(text)
  if (!mark || !skill || !isInstead) return false
  skill.endpoint = draft.said.url(mark)
  return true
}

function changeTag(draft: Draft, text: string): boolean {
  const [, name] =
    new RegExp(`^(?:change|set|rename) the tag (?:to|into|as) (${QUOTE}|[\\w -]{1,60})$`, 'i').exec(text) ??
    new RegExp(`^(?:tag|use)(?: (?:the |them )?(?:customer|contact|tag)?)?(?: as| with)? (${QUOTE}|[\\w-]{1,60}) instead$`, 'i').exec(
      text,
    ) ??
    []
  const steps = (draft.flow?.steps ?? []).filter(step => step.type === 'tag_contact')
  const step = steps.at(-1)
  if (name === undefined || !step) return false
  step.tag = name.startsWith('«') ? draft.said.quote(name) : name.trim()
  return true
}

function changeTrigger(draft: Draft, text: string): boolean {
  const [, words = ''] =
    /^(?:do|run|start) (?:it|this|that|the flow) (?:when|once|after|if|as soon as) (.+?) instead$/i.exec(text) ??
    /^(?:change|set) the trigger to (?:when )?(.+)$/i.exec(text) ??
    /^(?:it|the flow|this) should (?:run|start|begin|happen) (?:when|once|after|if) (.+?)(?: instead)?$/i.exec(text) ??
    []
  const occasion = words === '' || !draft.flow ? undefined : occasionOf(words, draft.said)
  if (!occasion || !draft.flow) return false
  if (occasion.left !== '') notUnderstood(draft, occasion.left)
  draft.flow.trigger = occasion.event
  const { conditions } = occasion.conditions.length > 0 ? occasion : conditionsOf('', occasion.event, draft.said)
  if (conditions.length > 0) draft.flow.conditions = conditions
  return true
}

function turn(draft: Draft, text: string): boolean {
  const [, how] = /^(disable|switch off|turn off|pause|enable|switch on|turn on|resume) (?:the |this )?flow/i.exec(text) ?? []
  if (how === undefined || !draft.flow) return false
  if (/^(?:disable|switch off|turn off|pause)$/i.test(how)) draft.flow.enabled = false
  else delete draft.flow.enabled
  return true
}

const EDITS: Edit[] = [rename, remove, stop, demand, addValue, callInstead, changeTag, changeTrigger, turn, addField]
