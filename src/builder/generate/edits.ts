// Sentences that change what is there. Each is cut into edits, and each edit is put into the words that the readers of edits know.
import { readAbout } from './about.ts'
import { addFieldsTo, replaceByFields } from './additions.ts'
import { callInstead, tellMore } from './call-edits.ts'
import { addValue, replaceValue } from './choice-values.ts'
import { addInput, makeChoice } from './choices.ts'
import { conditionsOf } from './conditions.ts'
import { changeAddress, changeKnowledge, changeText } from './contents.ts'
import { demand, demandAlone, mustHave } from './demands.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { DURATION } from './durations.ts'
import { begun, NEXT, plainly, VERBS } from './edit-words.ts'
import { exchange } from './exchanges.ts'
import { changeTag, changeTrigger, narrow, turn } from './flow-edits.ts'
import type { Target } from './meant.ts'
import { free, idOf, nameOf, titleOf } from './names.ts'
import { relink } from './relink.ts'
import { removeAll, removeNamed, stay } from './removals.ts'
import { renameField, renameResource, renameSetting } from './rename.ts'
import { changeType } from './retype.ts'
import { addAt, alsoDo, changeLevel, instead } from './step-edits.ts'
import { typeOfDeed } from './step-names.ts'
import { forbid, stop } from './stops.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'
import { changeWait, waitAgain } from './waits.ts'

type Edit = (draft: Draft, text: string) => boolean

/** @returns whether the sentence was an edit of what is there */
export const readEdit = (draft: Draft, sentence: string, others: (part: string) => boolean = () => false): boolean => {
  const whole = scoped(draft, begun(sentence))
    .replace(new RegExp(`^instead of (${DURATION}),? (wait(?: for)? ${DURATION})`, 'i'), '$2 instead of $1')
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
  // "notify us about low stock only if …": of the flow that does.
  if (
    draft.isEdit &&
    / only (?:if|when|for|where) /i.test(text) &&
    !/^(?:when|if|once|after|whenever)\b/i.test(text) &&
    narrow(draft, text)
  )
    return true
  const rest = scoped(draft, text)
  if (rest === text || draft.spoken?.kind !== 'flow') return false
  // "low stock: tell us when there are 10 or less": when it does what it does.
  const [, deed = '', so = ''] = /^(?:only )?([a-z]+ (?:the |our |my )?[a-z]+)(?: only)? (?:if|when) (.{3,80})$/i.exec(rest) ?? []
  const { flow } = draft.spoken
  const isSame = deed !== '' && flow.steps.length === 1 && flow.steps[0]?.type === typeOfDeed(deed)
  const { conditions, left } = conditionsOf(isSame ? so : '', flow.trigger, draft.said)
  if (isSame && left === '' && conditions.length > 0) {
    flow.conditions = [...(flow.conditions ?? []).filter(each => !conditions.some(({ field }) => field === each.field)), ...conditions]
    return true
  }
  return (!/\balso\b/i.test(text) && waitAgain(draft, rest)) || readEdit(draft, rest) || alsoDo(draft, rest)
}

function rename(draft: Draft, text: string): boolean {
  const [, toApp] = /^(?:rename|call|name) (?:the|this|my|our) app (?:to |into |as )?(.{1,60})$/i.exec(text) ?? []
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
  forbid,
  demand,
  demandAlone,
  mustHave,
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
  (draft, text) =>
    /\b(?:should|must|shall|has to|needs to)\b|^(?:let|have|make) (?:it|the)\b|^(?:also )?(?:tag|label) .*«/i.test(text) &&
    alsoDo(draft, text),
  tellMore,
  exchange,
  addFieldsTo,
]
