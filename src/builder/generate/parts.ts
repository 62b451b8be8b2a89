// Sentences about the rest of an app: its name, and skills.
import type { Field, Skill } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood, understood } from './draft.ts'
import { skillAt } from './drafted-flows.ts'
import { fieldOf, fieldsIn } from './fields.ts'
import { itemsOf } from './items.ts'
import { ASSISTANT, sentenceOf, titleOf } from './names.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { IS_SETTING } from './settings.ts'
import { unquoted } from './targets.ts'

/** "An app called Reviews by Acme that stores …". @returns what is left to be read */
export function readName(draft: Draft, sentence: string): string {
  const [, alone] = /^(?:an? |the |our |my )?([\p{L}\d][\p{L}\d '&-]{1,40}?) app(?:lication)?$/iu.exec(sentence) ?? []
  if (alone !== undefined && !/^(?:this|rename|remove|delete|call|disable|make|create|build|write|new)\b/i.test(alone)) {
    draft.manifest.name ||= titleOf(alone)
    return ''
  }
  const found = new RegExp(
    `^(?:make |create |build |i want |we want |i need |we need )?(?:me |us )?(?:an?|the|this) app(?:lication)?(?: is)? (?:called|named) (${QUOTE}|[^,:]{1,60}?)(?:(?: by|,? and (?:its|the) (?:author|maker|publisher) is) ([^,:]{1,80}?))?(?:[,:]\\s*|\\s+(?:that|which|to)\\s+|$)(?:(?:it )?(?:that|which)\\s+)?`,
    'i',
  ).exec(sentence)
  if (!found) return sentence
  const [all, name = '', , author] = found
  draft.manifest.name = name.startsWith('«') ? draft.said.quote(name) : titleOf(name)
  if (author) draft.manifest.author = author.trim()
  return sentence.slice(all.length)
}

/** The ways to tell of a skill, as what the assistant can do at an address with what. */
function asSkill(told: string): string {
  let text = told
  for (const [pattern, as] of SKILLS) text = text.replace(pattern, as)
  return text
}

const TOOL = '(?:skill|tool|function|ability|action)'
const CAN = `${ASSISTANT} (?:can|may|should|must)(?: be able to)?`
const SKILLS: [RegExp, string][] = [
  // "make a skill «Check table» which calls ‹0› and needs a date"
  [
    new RegExp(
      `^(?:please )?(?:(?:add|create|make|give ${ASSISTANT}|(?:i|we)(?:'d| would)? (?:want|need|like|love)) )?(?:an? |the )?(?:new )?${TOOL}(?: (?:called|named) (?<plain>[\\w' -]{2,40}?)|(?: (?:called|named))?,? (?<name>${QUOTE}))(?: for ${ASSISTANT})?(?:,? (?:which|that|to))? (?:calls?|uses?|asks?|at|is at|posts? to|goes to) (?=${URL_MARK})`,
      'i',
    ),
    'the assistant can use $<name>$<plain> at ',
  ],
  [new RegExp(`(?<url>${URL_MARK}),? for which (?:it|you|we) (?:needs?|takes?|requires?|has to give|must give) `, 'i'), '$<url> with '],
  [
    new RegExp(`(?<url>${URL_MARK}),? (?:and )?(?:(?:it|which|that) )?(?:needs|takes|expects|wants|gets|requires|is given) `, 'i'),
    '$<url> with ',
  ],
  [
    new RegExp(
      `^(?:please )?(?:give|build|make|provide) ${ASSISTANT} (?:with )?(?:an? )?(?:new )?${TOOL} (?:that (?:can )?|which |to |for )`,
      'i',
    ),
    'the assistant can ',
  ],
  [
    new RegExp(`^(?:add |create |make )?(?:an? )?(?:new )?${TOOL}(?: for ${ASSISTANT})?:? (?:(?:that|which)(?: can)? |to )?(?=\\w+ )`, 'i'),
    'the assistant can ',
  ],
  [
    new RegExp(`^${ASSISTANT} (?:gets|has|needs|should have|should get) an? (?:new )?${TOOL} (?:that |which |to |for )`, 'i'),
    'the assistant can ',
  ],
  [new RegExp(`^(?:through|via|at|using|with|by calling) (?<url>${URL_MARK}),? (?<can>${CAN} [^,‹]+)`, 'i'), '$<can> at $<url>'],
  [
    new RegExp(
      `^(?:when|if) [^,‹]{2,60}, ${ASSISTANT} (?:should |can |must |may )?(?:calls?|asks?|uses?|looks? (?:it )?up (?:at|on)) (?=${URL_MARK})`,
      'i',
    ),
    'the assistant can look it up at ',
  ],
  // "ask ‹0› for the balance by email", "query ‹0› with an email to get the balance"
  [
    new RegExp(
      `^(?<can>${CAN}) (?:ask|query|use|call) (?<url>${URL_MARK}) (?:for|to (?:find|get|look up|see|know|check)) (?<what>[^,‹]{2,60}?) (?:by|with|for|given|using) (?<by>.+)$`,
      'i',
    ),
    '$<can> get $<what> at $<url> with $<by>',
  ],
  [
    new RegExp(
      `^(?<can>${CAN}) (?:ask|query|use|call) (?<url>${URL_MARK}) with (?<by>[^,‹]{2,60}?) (?:for|to (?:find|get|look up|see|know|check)) (?<what>.+)$`,
      'i',
    ),
    '$<can> get $<what> at $<url> with $<by>',
  ],
  [
    new RegExp(
      `(?<url>${URL_MARK}),? (?:(?:the |its )?(?:inputs?|arguments?|parameters?)(?: is| are|:)?|it (?:needs|takes|gets|wants|expects))[: ]+`,
      'i',
    ),
    '$<url> with ',
  ],
]

/** "The assistant can look up the balance at https://… with an email." */
export function readSkill(draft: Draft, told: string): boolean {
  const sentence = asSkill(told)
  const mark = new RegExp(URL_MARK).exec(sentence)?.[0]
  const isSkill = new RegExp(`\\bskill\\b|^(?:let |allow )?${ASSISTANT}\\b`, 'i').test(sentence)
  if (!mark || !isSkill) return false
  const [, inputs] =
    /^,?\s*(?:and )?(?:with|given|by|using|from|for|taking|that takes|which takes|passing|sending|giving)(?: it)?\s+(.+)$/i.exec(
      (sentence.split(mark)[1] ?? '').trim(),
    ) ?? []
  const [, given] =
    /(?: (?:by|given|using|with|from)(?: giving| entering)? | (?:near|around|close to|in|for) (?=an? (?:given |certain )?[\w-]+(?: [\w-]+)?$))((?:its|the|an?|their|his|her) (?:given |certain )?[^,‹]{2,60}|[\w-]+ (?:number|code|id|e-?mail))(?: (?:at|from|via|under|by calling|on))? *$/i.exec(
      (sentence.split(mark)[0] ?? '').replace(/ (?:at|from|via|under|by calling|on|through|using)\s*$/i, ''),
    ) ?? []
  const fields = inputs === undefined ? (given === undefined ? [] : fieldsIn(draft, given)) : fieldsIn(draft, inputs)
  const tail = (sentence.split(mark)[1] ?? '').replace(/^[\s,.]+/, '')
  if (inputs === undefined && tail !== '') notUnderstood(draft, tail)
  const what = (sentence.split(mark)[0] ?? '')
    .replace(/^(?:please )?(?:add |create )?(?:a )?skill (?:that |which |to )?/i, '')
    .replace(new RegExp(`^(?:let |allow )?${ASSISTANT} (?:can|may|should|to|could|must)?(?: be able to)?\\s*`, 'i'), '')
    .replace(/\s+(?:at|by calling|calling|from|via|through|on|using|by asking)\s*$/i, '')
    .trim()
  const skill = skillAt(draft, draft.said.url(mark), [], `Call it to ${draft.said.restore(what) || 'ask the service'}.`)
  if (!skill) return true
  const [, named] = new RegExp(`^use (${QUOTE}|(?=[A-Z])[\\w' -]{2,40})$`).exec(what) ?? []
  const before = new RegExp(`^${CAN} ([^«‹]{5,200})$`, 'i').exec(draft.before)?.[1]
  if (named && before) {
    // What the assistant can do was said before, and not at which address.
    skill.description = `Call it to ${draft.said.restore(before)}.`
    understood(draft, draft.before)
  }
  if (named) skill.name = unquoted(draft, named).slice(0, 100)
  else if (what !== '') skill.name = titleOf(draft.said.restore(what)).slice(0, 100)
  setInputs(skill, fields, inputs ?? given ?? '')
  return true
}

/** "The tab's title should be Size guide." */
export function readTitle(draft: Draft, sentence: string): boolean {
  const [, name = ''] =
    /^(?:the |its )?(?:(?:tab|page|panel)(?:'s)? (?:title|name)|(?:title|name) of the (?:tab|page|panel)|(?:tab|page|panel)) (?:should|must|shall|is to) be (?:called |named |titled )?(.{2,60})$/i.exec(
      sentence,
    ) ?? []
  const view = draft.manifest.views.at(-1)
  if (name === '' || !view || draft.isEdit) return false
  view.name = unquoted(draft, name).slice(0, 100)
  return true
}

/** Each is needed that is not said to be optional. */
function setInputs(skill: Skill, fields: Field[], listed: string): void {
  const optional = itemsOf(listed).flatMap(each =>
    /\boptional\b|\bif (?:there|known|given|any)\b/i.test(each) ? [fieldOf(each)?.name] : [],
  )
  // Where some are said to be required, the others are not.
  const required = fields.filter(field => field.required)
  const needed = (required.length > 0 ? required : fields).map(({ name }) => name).filter(name => !optional.includes(name))
  const types = { string: 'string', number: 'number', boolean: 'boolean', date: 'string', enum: 'string' } as const
  const properties = Object.fromEntries(
    fields.map(({ name, type, enumValues }) => [name, { type: types[type], ...(enumValues && { enum: enumValues }) }]),
  )
  skill.inputSchema = { type: 'object', properties, ...(needed.length > 0 && { required: needed }) }
}

const USED_WHEN = new RegExp(
  `^(?:${ASSISTANT} (?:should|must|may|can|has to) )?(?:only )?(?:use|call|ask)s? (?:it|this|that|the (?:skill|tool|service))(?: only)? (?:when|if|whenever|after|before|once|for|to)\\b`,
  'i',
)

/** "It should ask the customer to confirm first", behind a skill */
const ASKS_FIRST = new RegExp(
  `^(?:it|${ASSISTANT}) (?:should|must|has to) (?:first |always )?(?:ask|confirm|check|verify|make sure)\\b`,
  'i',
)

/** "Use it only after the customer has confirmed": the model reads it in the description. */
export function readUse(draft: Draft, sentence: string): boolean {
  const skill = draft.manifest.skills.at(-1)
  // "It should do so when …", behind what it can do.
  const use = sentence.replace(
    /^(?:it|the assistant) (?:should|must|may|can|has to) (only )?do (?:so|this|that|it) (?=(?:only )?(?:when|if|after|before|once)\b)/i,
    'use it $1',
  )
  const isAsked = ASKS_FIRST.test(use) && new RegExp(URL_MARK).test(draft.before)
  if (!skill || draft.flow !== undefined || !(USED_WHEN.test(use) || isAsked)) return false
  skill.description = `${skill.description} ${sentenceOf(draft.said.restore(use))}`.slice(0, 4_000)
  return true
}

/** "It needs the card number", behind the sentence of a skill. */
export function readInputs(draft: Draft, sentence: string): boolean {
  const [, listed] =
    /^(?:the |its )?(?:inputs?|arguments?|parameters?)(?: are| is)?:? (.+)$/i.exec(sentence) ??
    /^(?:for (?:this|that|it),? |to do (?:so|this|that),? )?(?:it|the skill|the call|this|the service) (?:also )?(?:needs|takes|expects|requires|wants|gets|is given|(?:has to|must|should|needs to) (?:be given|be told|get|know|have))(?: to be given| to know)? (.+)$/i.exec(
      sentence,
    ) ??
    []
  const mark = new RegExp(URL_MARK).exec(draft.before)?.[0]
  const skill = mark && draft.manifest.skills.find(each => each.endpoint === draft.said.url(mark))
  if (!skill || listed === undefined || IS_SETTING.test(listed)) return false
  const { properties = {}, required = [] } = skill.inputSchema as { properties?: Record<string, unknown>; required?: string[] }
  setInputs(skill, [...fieldsIn(draft, listed)], listed)
  // "It also needs …": besides what it is given.
  const given = skill.inputSchema as { properties: Record<string, unknown>; required?: string[] }
  if (/\b(?:also|too|as well)\b/i.test(sentence))
    skill.inputSchema = {
      ...given,
      properties: { ...properties, ...given.properties },
      required: [...new Set([...required, ...(given.required ?? [])])],
    }
  return true
}
