// Sentences that change what is there: add to it, rename, remove, make required.
import type { Resource, View } from '../../apps/manifest/shape.ts'
import { addFields, type Draft, notUnderstood, resourceNamed } from './draft.ts'
import { fieldsIn, typeOf } from './fields.ts'
import { callInstead, changeTag, changeTrigger, exchange, keepSteps, stepsOf, stop, tellMore, turn, waitBefore } from './flow-edits.ts'
import { bare, free, idOf, isSame, nameOf, titleOf } from './names.ts'
import { renameField, renameResource } from './rename.ts'
import { QUOTE } from './sentences.ts'

/** @returns whether the sentence was an edit of what is there */
export const readEdit = (draft: Draft, sentence: string): boolean => {
  const parts = plainly(sentence).split(new RegExp(`(?:,? and (?:then )?|, (?:then )?)(?=${BEGINS})`, 'i'))
  const read = parts.map(part => EDITS.some(edit => edit(draft, part)))
  if (read.includes(true)) for (const [at, part] of parts.entries()) if (!read[at]) notUnderstood(draft, part)
  return read.includes(true)
}

/** "rename stars to rating and make the text mandatory" are two. */
const BEGINS = '(?:rename|remove|delete|drop|make|change|turn|switch|disable|enable|get rid of)\\b'

/** The words that the edits know for what people say. */
const plainly = (sentence: string): string =>
  sentence
    .replace(/^(?:please|and|now|also),? /i, '')
    .replace(/,? (?:too|as well|now)$/i, '')
    .replace(/^(?:i|we) (?:no longer|don't|do not) (?:need|want|use)(?: to have)? (.+?)(?: any ?more| any longer)?$/i, 'remove $1')
    .replace(/^(?:scrap|ditch|lose|erase|throw out|get rid of) /i, 'remove ')

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

const REMOVE = '(?:remove|delete|drop|take away|take out|leave out)'

function remove(draft: Draft, text: string): boolean {
  const [, kind = '', name = '', of] =
    new RegExp(`^${REMOVE} ${KIND}(.{1,60}?)(?: (?:from|of|in) (?:the )?(.{1,60}))?$`, 'i').exec(`${text}`) ?? []
  const [, alone] =
    new RegExp(`^${REMOVE} (?:the |all |all the |all of the |every |our )*(tabs?|pages?|views?|flows?)\\b`, 'i').exec(text) ?? []
  if (alone !== undefined) return removeAll(draft, alone.toLowerCase().replace(/s$/, ''), /\ball\b|\bevery\b|\bflows\b/i.test(text))
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

/** @param each of flows all of them, else that which was spoken of last */
function removeAll(draft: Draft, kind: string, each: boolean): boolean {
  const { manifest } = draft
  if (kind === 'flow') {
    const flow = draft.flow ?? manifest.flows.at(-1)
    manifest.flows = manifest.flows.filter(other => !each && other !== flow)
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
  // "Add two fields to points: an expiry date and a note"
  const [, before, behind] =
    /^(?:add|give)(?: (?:the|these|some|an?|two|three|four|five|\d{1,2}|new|more|other|following))*(?: fields?| columns?)? to (?:the |each |every |a |all )?([^:]{1,60}):\s*(.{1,400})$/i.exec(
      text,
    ) ?? []
  const [, items = behind ?? '', to = before ?? ''] =
    before === undefined ? (/^(?:add|give) (.{1,400}?) to (?:the |each |every |a |all )?(.{1,60})$/i.exec(text) ?? []) : []
  const [, owner = '', owned = ''] =
    /^(?:the |each |every |an? )?(.{1,60}?) (?:(?:should|must|needs? to|can|could|shall)(?: also)? (?:have|get|hold)|(?:also )?(?:needs?|gets?|lacks?|(?:is|are) missing|wants?)) (.{1,400})$/i.exec(
      text,
    ) ?? []
  const [, alone = ''] =
    /^add ((?:an? )?(?:new )?(?:required |optional )?(?:(?:number|boolean|date|text|enum|yes\/no) )?field .{1,200})$/i.exec(text) ?? []
  const named = to || owner
  const resource = named === '' ? (alone ? draft.resource : undefined) : resourceNamed(draft, bare(named))
  if (!resource) return false
  const said = (items || owned || alone).replaceAll(new RegExp(QUOTE, 'g'), mark => draft.said.quote(mark))
  const fields = fieldsIn(draft, said.replaceAll(/(?<=^|, |and )(?:an? )?new /gi, ''))
  draft.resource = resource
  addFields(draft, resource, fields)
  return fields.length > 0
}

function changeType(draft: Draft, text: string): boolean {
  const [, name = '', word = ''] =
    /^(?:change|turn|convert|switch|make) (?:the )?(?:type of )?(?:the )?(?:field )?(.{1,60}?)(?: field)?(?: (?:in)?to| be)? (?:an? )?([a-z/]+(?: or [a-z]+)?)(?: field)?$/i.exec(
      text,
    ) ?? []
  const type = typeOf(word)
  const found = type && fieldNamed(draft, bare(name))
  const field = found?.resource.fields[found.index]
  if (!field || !type) return false
  field.type = type
  delete field.enumValues
  return true
}

const EDITS: Edit[] = [
  rename,
  remove,
  stop,
  demand,
  addValue,
  callInstead,
  changeTag,
  changeTrigger,
  turn,
  changeType,
  waitBefore,
  tellMore,
  exchange,
  addField,
]
