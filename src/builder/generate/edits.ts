// Sentences that change what is there. Each is cut into edits, and each edit is put into the words that the readers of edits know.
import type { Config, Field } from '../../apps/manifest/shape.ts'
import { readAbout } from './about.ts'
import { addFieldsTo, replaceByFields } from './additions.ts'
import { addValue, replaceValue } from './choice-values.ts'
import { addInput, demandInputs, makeChoice } from './choices.ts'
import { changeAddress, changeKnowledge, changeText } from './contents.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import { begun, NEXT, plainly, VERBS } from './edit-words.ts'
import { exchange } from './exchanges.ts'
import { callInstead, changeTag, changeTrigger, narrow, tellMore, turn } from './flow-edits.ts'
import type { Target } from './meant.ts'
import { free, idOf, isSame, nameOf, titleOf } from './names.ts'
import { relink } from './relink.ts'
import { removeAll, removeNamed, stay, stop } from './removals.ts'
import { renameField, renameResource, renameSetting } from './rename.ts'
import { changeType } from './retype.ts'
import { addAt, alsoDo, changeLevel, changeWait, instead, waitAgain } from './step-edits.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'

type Edit = (draft: Draft, text: string) => boolean

/** @returns whether the sentence was an edit of what is there */
export const readEdit = (draft: Draft, sentence: string, others: (part: string) => boolean = () => false): boolean => {
  const whole = scoped(draft, begun(sentence))
    .replace(RENAMED_TOO, '$1 and rename $2')
    .replace(DEMANDED_TOO, '$1 and make $2')
    .replace(TYPED_FIELD, '$1 called $2 ($3)')
    .replace(
      /^(?:let|have|make) ((?:the )?[\w' -]{2,40}? (?:skill|service|tool)) (?:also )?(?=(?:take|get|accept|need|ask for|require)\b)/i,
      '$1 should also ',
    )
  const parts = /^(?:instead of|don't|do not)\b/i.test(whole) ? [plainly(whole)] : whole.split(NEXT).map(plainly)
  const read = parts.map(part => readPart(draft, part) || (parts.length > 1 && others(part)))
  if (read.includes(true)) for (const [at, part] of parts.entries()) if (!read[at]) notUnderstood(draft, part)
  return read.includes(true)
}

/** What stands behind "and" may be no edit: it is told, and does not hide the one before it. */
function readPart(draft: Draft, part: string): boolean {
  if (EDITS.some(edit => edit(draft, part))) return true
  for (const { index, 0: and } of [...part.matchAll(/,? (?:and|but) (?:then |also )?/gi)].reverse().slice(0, 5)) {
    const [before, behind] = [part.slice(0, index), plainly(part.slice(index + and.length))]
    if (!EDITS.some(edit => edit(draft, before))) continue
    if (!EDITS.some(edit => edit(draft, behind))) notUnderstood(draft, behind)
    return true
  }
  return false
}

/** "In tickets replace …", "For big orders, instead of tagging …": what is changed, said before. */
function scoped(draft: Draft, text: string): string {
  const [all, name = ''] =
    new RegExp(
      `^(?:(?:in|for|on|within|inside|with|as for|regarding|under|of) (?=.{2,50}?(?:[,: ]))|(?=[\\w' -]{2,50}?: ))([\\w' -]{2,50}?)(?:[,:] | )(?=(?:${VERBS}|instead|only|also|wait|tag|notify|send|warn|tell|it|there|[\\w-]+(?:(?:, | and )[\\w-]+){0,4} (?:is|are|should|must))\\b)`,
      'i',
    ).exec(text) ?? []
  const target =
    all === undefined
      ? undefined
      : targetOf(draft, name, [
          'flow',
          'resource',
          'knowledge',
          'skill',
          'view',
          ...(/: /.test(all) || (/^in /i.test(all) && /^\S*(?:remove|delete|drop|add) «/i.test(text.slice(all.length)))
            ? (['field', 'setting'] as const)
            : []),
        ])
  if (all === undefined || !target) return text
  speakOf(draft, target)
  return text.slice(all.length)
}

/** Whether a sentence begins with what is changed, or with a step of a flow, so that it is no new flow. */
export function readScoped(draft: Draft, sentence: string): boolean {
  const text = plainly(sentence)
  if (draft.isEdit && /^(?:right |just |directly )?(?:after|before|between|in between|following|once)\b/i.test(text) && addAt(draft, text))
    return true
  const rest = scoped(draft, text)
  if (rest === text || draft.spoken?.kind !== 'flow') return false
  return (!/\balso\b/i.test(text) && waitAgain(draft, rest)) || readEdit(draft, rest) || alsoDo(draft, rest)
}

function rename(draft: Draft, text: string): boolean {
  const [, toApp] = /^(?:rename|call) (?:the|this) app (?:to |into |as )?(.{1,60})$/i.exec(text) ?? []
  const [, from = '', to = ''] = RENAMES.map(pattern => pattern.exec(text)).find(found => found !== null) ?? []
  if (toApp !== undefined || /^(?:the |this )?app$/i.test(from)) {
    draft.manifest.name = unquoted(draft, toApp ?? to)
    return true
  }
  const target = from === '' ? undefined : targetOf(draft, from)
  return target !== undefined && call(draft, target, unquoted(draft, to.replace(/^(?:the|just) /i, '').replace(/ instead$/i, '')))
}

/** "Make the treatment optional and the duration required": each is made so. */
const DEMANDED_TOO =
  /^((?:make|mark|set) [^,]{1,80}? (?:required|mandatory|optional)),? (?:and|but) (?!make\b|mark\b|set\b)([^,]{1,60}? (?:required|mandatory|optional))$/i
/** "a field called floor, a number, to …" */
const TYPED_FIELD =
  /\b(field|column|setting) (?:called|named|for) (?:the |an? )?([\w -]{2,40}), (?:which is )?(?:an? )?(number|text|date|boolean|yes\/no),?(?= to | in | for |$)/i

/** "Rename points to credits and its amount to value": each is renamed. */
const RENAMED_TOO =
  /^(rename .{1,60}? (?:to|into|as) (?:«\d+»|[\w-]+(?: [A-Z][\w-]*){0,3})),? and (?!rename\b)((?:(?!\b(?:make|add|remove|change|set)\b)[^,]){1,60}? (?:to|into|as) (?:«\d+»|[\w-]+))$/i

const RENAMES = [
  /^rename (.{1,60}?) (?:to|into|as|->|=>|→) (.{1,60})$/i,
  /^call (?!it when)(.{1,60}?) (?:instead |now )?((?:«\d+»|[\w-]+)(?: instead)?)$/i,
  /^(?:change|set) the name of (.{1,60}?) (?:to|into) (.{1,60})$/i,
  /^give (.{1,60}?) the name (.{1,60})$/i,
  /^(?:the )?name of (.{1,60}?) (?:should|must|has to|shall) be (.{1,60})$/i,
  /^(its|.{1,60}?'s) name (?:should|must|has to|shall) be (.{1,60})$/i,
  /^(.{1,60}?) (?:should|must|has to|shall|is to) (?:now |rather )?be (?:called|named|renamed(?: to)?) (.{1,60})$/i,
  /^(.{1,60}?) is now called (.{1,60})$/i,
]

/** @returns whether it could be called so */
function call(draft: Draft, target: Target, name: string): boolean {
  speakOf(draft, target)
  const { manifest } = draft
  const next = nameOf(name)
  if (target.kind === 'field') {
    if (next === '' || target.resource.fields.some(each => each !== target.field && each.name === next)) return false
    renameField(manifest, target.resource, target.resource.fields.indexOf(target.field), next)
  } else if (target.kind === 'resource') {
    const others = manifest.resources.filter(each => each !== target.resource).map(({ id }) => id)
    renameResource(manifest, target.resource, free(idOf(name, 'records'), others), titleOf(name))
  } else if (target.kind === 'setting') {
    if (next === '' || manifest.config.some(each => each !== target.setting && each.key === next)) return false
    renameSetting(manifest, target.setting, next)
  } else if (target.kind === 'knowledge') target.entry.title = name.slice(0, 200)
  else if (target.kind === 'view') target.view.name = titleOf(name)
  else if (target.kind === 'flow') target.flow.name = titleOf(name)
  else target.skill.name = titleOf(name)
  return true
}

const EXCEPT = '(?:,? (?:except(?: for)?|but not|apart from|save for|other than|but) .{2,100})?'
const NEEDED = 'required|mandatory|compulsory|obligatory|a must|needed|necessary|filled in|given'
const DEMANDS = [
  new RegExp(`^(?:make|mark|set) (.{1,200}?) (?:to be |as |to )?(${NEEDED}|optional|not required)(?: fields?)?$`, 'i'),
  new RegExp(
    `^(.{1,200}?) (?:should|must|shall|has to|have to|needs? to|need to|is|are|becomes?|may|can) (?:now |always |both |all |also )*(?:be |become )?(?:now |always |both |all )*(${NEEDED}|optional|not required|no longer required|not mandatory|left (?:empty|blank|out))(?: fields?)?(?: any ?more| now| from now on)?${EXCEPT}$`,
    'i',
  ),
  /^(require|demand) (.{1,200}?)(?: to be (?:given|filled in|set))?$/i,
]

/** What is demanded is named, and nothing is said of it. */
const STATED = /\b(?:must|should|may|can|is|are|be|has to|have to)\b/i

function demand(draft: Draft, whole: string): boolean {
  // "make all the fields of tires required"
  const [of = '', , name = ''] =
    /(?<=^make all (?:the |its )?fields) (of|in) (?:the )?([\w -]{2,30}?)(?= (?:required|mandatory|optional)$)/i.exec(whole) ?? []
  const text = whole.replace(of, '')
  if (of !== '') draft.resource = resourceNamed(draft, name) ?? draft.resource
  const [, first = '', second = ''] =
    DEMANDS.map(pattern => pattern.exec(text)).find(found => found !== null && !STATED.test(found[1] as string)) ?? []
  const [listed, how] = /^(?:require|demand)$/i.test(first) ? [second, 'required'] : [first, second]
  if (listed === '') return false
  // "… and the rest is optional", as it was.
  // "All of them are required except the remark."
  const [, but] = / (?:except(?: for)?|but not|apart from|save for|other than|but) (.{2,100})$/i.exec(text) ?? []
  if (but !== undefined && / (?:except|but|apart|save|other) /i.test(listed + text.slice(listed.length))) return allBut(draft, text, but)
  const [isOthers, isOptional] = [
    /^(?:the )?(?:rest|others?|other fields|everything else|all others)$/i.test(listed),
    /optional|not |no longer|left/i.test(how),
  ]
  if (isOthers && isOptional) return true
  const names = listed.replace(/^both /i, '').split(/\s*,\s*(?:and )?|\s+and\s+|\s*\/\s*/)
  const items = /^(?:all|every|each)(?: of)?(?: the| its)? (?:fields?|them)$/i.test(listed)
    ? (draft.resource?.fields ?? [])
    : names.map(name => demandable(draft, name.replace(/^only /i, '')))
  if (items.includes(undefined) && demandInputs(draft, names, isOptional)) return true
  if (items.length === 0 || items.some(item => item === undefined)) return false
  draft.isSettled = true
  for (const item of items)
    if (item && isOptional) delete item.required
    else if (item) item.required = true
  return true
}

/** "title and date required": names of fields, and no verb. */
function demandAlone(draft: Draft, text: string): boolean {
  const [, listed = '', how = ''] = /^(?:with )?(?:only )?([\w' ,-]{1,100}?) (required|mandatory|compulsory|optional)$/i.exec(text) ?? []
  const names = listed === '' ? [] : listed.split(/\s*,\s*(?:and )?|\s+and\s+/)
  const isKnown = (name: string): boolean => draft.resource?.fields.some(field => isSame(field.name, name)) ?? false
  return names.length > 0 && names.every(isKnown) && demand(draft, `${listed} are ${how}`)
}

function allBut(draft: Draft, text: string, but: string): boolean {
  const [, of] =
    /^(?:make )?(?:all|every|each|everything)(?: fields?)? (?:in|of) (?:the )?([\w -]{2,40}?) (?=required|mandatory|optional|compulsory|obligatory|is|are|should)/i.exec(
      text,
    ) ?? []
  const resource = (of === undefined ? undefined : resourceNamed(draft, of)) ?? draft.resource
  if (!resource || !/^(?:make )?(?:all|every|each|everything)\b/i.test(text)) return false
  const others = but.split(/\s*,\s*(?:and )?|\s+and\s+/).map(name => demandable(draft, name))
  draft.isSettled = true
  if (others.includes(undefined)) return false
  const isOptional = /\b(?:optional|not required)\b/i.test(text.slice(0, text.length - but.length))
  for (const field of resource.fields)
    if (others.includes(field) === isOptional) field.required = true
    else delete field.required
  return true
}

function demandable(draft: Draft, name: string): Field | Config | undefined {
  const target = targetOf(draft, name, ['field', 'setting'])
  if (!target) return undefined
  speakOf(draft, target)
  return target.kind === 'field' ? target.field : target.kind === 'setting' ? target.setting : undefined
}

const EDITS: Edit[] = [
  readAbout,
  stay,
  addAt,
  instead,
  replaceByFields,
  replaceValue,
  relink,
  changeAddress,
  changeKnowledge,
  rename,
  removeAll,
  removeNamed,
  stop,
  demand,
  demandAlone,
  addValue,
  callInstead,
  changeTag,
  changeTrigger,
  turn,
  narrow,
  makeChoice,
  addInput,
  changeType,
  changeWait,
  changeLevel,
  (draft, text) => text.includes('«') && changeText(draft, text),
  (draft, text) => /\b(?:should|must|shall|has to|needs to)\b|^(?:let|have|make) (?:it|the)\b/i.test(text) && alsoDo(draft, text),
  tellMore,
  exchange,
  addFieldsTo,
]
