// Sentences about the rest of an app: its name, skills, settings, and pages by their address.
import type { Config, Field, Skill, View } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood, put, show, skillAt } from './draft.ts'
import { fieldOf, fieldsIn } from './fields.ts'
import { itemsOf } from './items.ts'
import { ASSISTANT, bare, nameOf, titleOf } from './names.ts'
import { type Description, QUOTE, URL_MARK } from './sentences.ts'

/** "An app called Reviews by Acme that stores …". @returns what is left to be read */
export function readName(draft: Draft, sentence: string): string {
  const [, alone] = /^(?:an? |the |our |my )?([\p{L}\d][\p{L}\d '&-]{1,40}?) app(?:lication)?$/iu.exec(sentence) ?? []
  if (alone !== undefined && !/^(?:this|rename|remove|delete|call|disable|make|create|build|write|new)\b/i.test(alone)) {
    draft.manifest.name ||= titleOf(alone)
    return ''
  }
  const found = new RegExp(
    `^(?:make |create |build |i want |we want |i need |we need )?(?:me |us )?(?:an?|the|this) app(?:lication)?(?: is)? (?:called|named) (${QUOTE}|[^,:]{1,60}?)(?: by ([^,:]{1,80}?))?(?:[,:]\\s*|\\s+(?:that|which|to)\\s+|$)(?:(?:it )?(?:that|which)\\s+)?`,
    'i',
  ).exec(sentence)
  if (!found) return sentence
  const [all, name = '', , author] = found
  draft.manifest.name = name.startsWith('«') ? draft.said.quote(name) : titleOf(name)
  if (author) draft.manifest.author = author.trim()
  return sentence.slice(all.length)
}

/** "The assistant can look up the balance at https://… with an email." */
export function readSkill(draft: Draft, sentence: string): boolean {
  const mark = new RegExp(URL_MARK).exec(sentence)?.[0]
  const isSkill = new RegExp(`\\bskill\\b|^(?:let |allow )?${ASSISTANT}\\b`, 'i').test(sentence)
  if (!mark || !isSkill) return false
  const [, inputs] =
    /^,?\s*(?:and )?(?:with|given|by|using|from|for|taking|that takes|which takes|passing|sending|giving)(?: it)?\s+(.+)$/i.exec(
      (sentence.split(mark)[1] ?? '').trim(),
    ) ?? []
  const [, given] =
    / (?:by|given|using|with|from)(?: giving| entering)? ((?:its|the|an?|their|his|her) [^,‹]{2,60}|[\w-]+ (?:number|code|id|e-?mail))(?: (?:at|from|via|under|by calling|on))? *$/i.exec(
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
  if (what !== '') skill.name = titleOf(draft.said.restore(what)).slice(0, 100)
  setInputs(skill, fields)
  return true
}

function setInputs(skill: Skill, fields: Field[]): void {
  const types = { string: 'string', number: 'number', boolean: 'boolean', date: 'string', enum: 'string' } as const
  const properties = Object.fromEntries(
    fields.map(({ name, type, enumValues }) => [name, { type: types[type], ...(enumValues && { enum: enumValues }) }]),
  )
  skill.inputSchema = { type: 'object', properties, ...(fields.length > 0 && { required: fields.map(({ name }) => name) }) }
}

/** "It needs the card number", behind the sentence of a skill. */
export function readInputs(draft: Draft, sentence: string): boolean {
  const [, listed] =
    /^(?:it|the skill|the call|this|the service) (?:also )?(?:needs|takes|expects|requires|wants|gets|is given|(?:has to|must|should|needs to) (?:be given|be told|get|know|have))(?: to be given| to know)? (.+)$/i.exec(
      sentence,
    ) ?? []
  const mark = new RegExp(URL_MARK).exec(draft.before)?.[0]
  const skill = mark && draft.manifest.skills.find(each => each.endpoint === draft.said.url(mark))
  if (!skill || listed === undefined || SETTING.test(listed)) return false
  setInputs(skill, [...fieldsIn(draft, listed)])
  return true
}

const SETTING =
  /\b(?:settings?|secrets?|api[ -]?keys?|(?:api |access |auth |bearer )?tokens?|passwords?|options?|credentials?|configuration)\b/i
const IS_SECRET = /\b(?:secret|password|token|api[ -]?key|private key|signing key|credential)\b/i

/** Those who give a setting its value, and how they are said to. */
const SETTER = '(?:the |an |each |every )?(?:shop |store )?(?:admin|owner|shop|workspace|manager)s?'
const SETS =
  '(?:can |may |might |could |must |has to |have to |needs? to |should |will )?(?:also |optionally )?(?:be able to )?(?:sets?|enters?|gives?|chooses?|decides?|defines?|selects?|configures?|provides?|picks?|types? in|fills? in)'
/** "points per euro, a number": no setting is called number, while a field may be. */
const ALSO_TYPED = /,\s*(?:an? )?(number|text|date)(?=\s*(?:,|$|\.| and ))/gi

/** "It needs a secret api key and a setting for the region, which is eu or us." */
export function readSettings(draft: Draft, sentence: string): boolean {
  const found =
    /^(?:and |also )*(?:it|the app|this app|we|this)(?: also)? (?:needs|requires|need|require|asks for|wants|has|takes|uses)\s+(.+)$/i.exec(
      sentence,
    ) ?? new RegExp(`^${SETTER} ${SETS}\\s+(.+)$`, 'i').exec(sentence)
  const [, listed] =
    /^(?:(?:(?:we|i|it|the app|this app) (?:also )?(?:needs?|has|have|wants?|uses?|requires?)|there (?:are|is)|add|with) )?(?:the |its |these |some |an? |one |two |three |four |\d )?(?:following |more |new )?(?:settings?|configuration|config|options|secrets?)(?: are| is)?(?: needed| required| necessary| (?:that |which )?(?:we|i|it|the app) (?:needs?|wants?|would like|have|has))?:\s*(.+)$/i.exec(
      sentence,
    ) ?? []
  const [, required] = /^(.+?) (?:is|are) (?:required|mandatory|needed|necessary)$/i.exec(sentence) ?? []
  const [, added] =
    /^(?:please |plus |also |and )*(?:add |create |with )?((?:an? )?(?:required |optional |mandatory |secret |number |text |boolean |yes\/no |new )*(?:settings?|secret|option)\b.*)$/i.exec(
      sentence.replace(/\b(setting|option), (?=[\w-]+$)/i, '$1 called '),
    ) ?? []
  const [, of = '', sort = '', key, isNeeded = ''] = SETTING_IS.exec(sentence) ?? []
  if (of !== '') {
    addSetting(
      draft,
      `${/secret/i.test(`${sort} ${isNeeded} ${sentence}`) ? 'secret ' : ''}${key ?? of}${typeIn(sort)}${/optional/i.test(`${sort} ${isNeeded}`) ? ' (optional)' : ''}`,
      /required|mandatory|needed/i.test(`${sort} ${isNeeded}`),
    )
    return true
  }
  const chosen = CHOSEN_IN.exec(sentence)?.groups
  if (chosen) {
    draft.heard.push(sentence)
    addSetting(draft, `${chosen['sort'] ?? ''}${chosen['key']}`, /required|mandatory/i.test(`${chosen['sort']} ${chosen['tail']}`))
    return true
  }
  const isSet = new RegExp(`^${SETTER}`, 'i').test(sentence)
  const words = listed ?? found?.[1] ?? required ?? added
  if (words === undefined || !(listed || isSet || SETTING.test(words))) return false
  // "… must enter a token and may choose a region"
  for (const item of itemsOf(words.replaceAll(ALSO_TYPED, ' ($1)')))
    addSetting(draft, item.replace(new RegExp(`^(?:(?:he|she|they|it) )?${SETS}\\s+`, 'i'), ''), required !== undefined)
  return true
}

/** "The licence key is a secret setting, licence_key, and it's required." */
const SETTING_IS =
  /^(?:the |our |its |this |that )?([^,:«‹]{2,60}?) (?:is|are|should be|must be|shall be|comes from|is kept (?:as|in)|is stored (?:as|in)|is) (?:an? |the )?((?:required |mandatory |optional |secret |number |numeric |text |boolean |yes\/no |new )*)(?:settings?|option|secret|config(?:uration)?(?: value)?)(?:,? (?:(?:called|named) )?(?!and\b|which\b|that\b|it\b|required\b|optional\b)([\w-]+))?((?:,? (?:and |which |that )?(?:it's |it is |is |which is |that is )?(?:required|mandatory|optional|secret|needed))*)$/i

/** "Which tag, the admin chooses in a setting called vip_tag, it is required." */
const CHOSEN_IN = new RegExp(
  `^(?:which |what |the )?[\\w' -]{2,50}?,? (?:(?:that )?${SETTER} ${SETS}|(?:is|are|can be|should be|will be) (?:chosen|set|picked|entered|configured|given|decided)(?: by ${SETTER})?) (?:in|with|by|through|via) (?:an? |the )(?<sort>(?:required |mandatory |optional |secret |number |text |boolean )*)(?:setting|option),? (?:called |named )?(?<key>[\\w-]+)(?<tail>(?:,? (?:and |which |that |it )?(?:it's |it is |is )?(?:required|mandatory|optional|secret))*)$`,
  'i',
)

const typeIn = (sort: string): string => {
  const [type] = /\b(?:number|numeric|text|boolean|yes\/no)\b/i.exec(sort) ?? []
  return type ? ` (${type.replace(/numeric/i, 'number')})` : ''
}

function addSetting(draft: Draft, item: string, isRequired: boolean): void {
  const isSecret = IS_SECRET.test(item.replaceAll('_', ' '))
  const said = item
    .replace(/,? (?:which|that) is (?:an? )?(?:secret|private)$/i, '')
    .replace(/^(?:an? )?(number|boolean|yes\/no|text|date) (?:settings?|options?) (?:called|named|for) (?:the )?(.+)$/i, '$2 ($1)')
    .replace(/ (?:settings?|options?)(?=,? (?:(?:that|which) (?:is|can be|may be)|of|either|from) )/i, '')
    .replace(/\b(?:an? )?(?:secret|private)\s+(?=(?:setting )?(?:called|named|for)\b)/i, '')
    .replace(/,?\s*\b(?:a )?secret\b,?\s*(?=[^()]*\))/i, ' ')
    .replace(/\(\s*\)/, '')
    .replace(/\bsecret (?=\S)/i, '')
    .replace(/\b(?:settings?|options?|values?) (?:for|called|named|of)(?: the)? /i, '')
    .replace(/\b(?:called|named) /i, '')
    .replace(/^(?:an? |the )?((?:optional |required |mandatory |new )*)(?:setting|option) (?=\S)/i, '$1')
    .replace(/\b(?:settings?|options?)$/i, '')
  const field = fieldOf(said)
  const { config } = draft.manifest
  // A key that is a clause is none.
  if (!field || /(?:^|_)(?:chooses?|decides?|sets?|enters?|picks?|is|are)_|^(?:which|what)_/.test(field.name)) {
    notUnderstood(draft, item)
    return
  }
  const key = nameOf(field.name).replace(/^own_/, '') || 'setting'
  if (config.some(each => each.key === key)) return
  const type = isSecret && field.type !== 'enum' ? 'secret' : field.type === 'date' ? 'string' : field.type
  const mustBe = isRequired || field.required || (type === 'secret' && !/\boptional\b/i.test(item))
  const setting: Config = {
    key,
    type,
    ...(mustBe && { required: true }),
    ...(type === 'enum' && field.enumValues && { enumValues: field.enumValues }),
  }
  put(draft, 'config', { ...setting, description: titleOf(bare(field.name)) })
}

const TARGETS: [RegExp, View['target']][] = [
  [/\b(?:contacts?|customers?|clients?|buyers?)\b/i, 'contact.tabs'],
  [/\b(?:products?|articles?)\b/i, 'product.tabs'],
  [/\b(?:pages?|dashboard|screen|menu)\b/i, 'dashboard.page'],
]

/** "a page called Reports", 'the tab "Points"' */
function titleIn(said: Description, text: string): string | undefined {
  const found = new RegExp(
    `\\b(?:page|tab|panel|frame|screen|dashboard|menu(?: (?:item|entry))?)(?: (?:is|that is|which is))?(?:,? (?:called|named|titled|labell?ed|with (?:the |a )?(?:name|title)(?: of)?))?:? (${QUOTE})|\\b(?:called|named|titled|labell?ed|(?:name|title)(?: should be| is)?):? (${QUOTE})|\\b(?:called|named|titled|labell?ed) ([\\p{L}\\d][\\p{L}\\d '&-]{0,58}?)(?=,|$| (?:at|from|with|of|on|under|in|that|which|for|showing|to|and|as)\\b| ‹)`,
    'iu',
  ).exec(text)
  const quoted = found?.slice(1).find(part => part?.startsWith('«'))
  return quoted ? said.quote(quoted) : found?.at(-1)
}

/** "Show https://… as a page, and https://… under each contact." */
export function readFrames(draft: Draft, sentence: string): boolean {
  if (
    !new RegExp(URL_MARK).test(sentence) ||
    !/\b(?:show|shows|page|tab|panel|frame|embed|embeds|display|displays|open|opens|under)\b/i.test(sentence)
  )
    return false
  const marks = [...sentence.matchAll(new RegExp(URL_MARK, 'g'))]
  let found = false
  for (const [at, mark] of marks.entries()) {
    const around = marks.length === 1 ? sentence : sentence.slice(at === 0 ? 0 : mark.index, marks[at + 1]?.index)
    const target = TARGETS.find(([pattern]) => pattern.test(around.replaceAll(new RegExp(URL_MARK, 'g'), ' ')))?.[1]
    if (!target) continue
    const [, described] =
      /\b(?:our|the|my|his|her) ([\p{L}][\p{L} -]{2,40}?)(?:,? (?:at|from|which is at|that is at|is at))? ‹/iu.exec(
        around.replace(/\b(?:page|tab|panel|dashboard|url|address|site|website|link|service)\b/gi, ''),
      ) ?? []
    const name = titleIn(draft.said, around) ?? (described && titleOf(described)) ?? (target === 'dashboard.page' ? 'Page' : 'Tab')
    show(draft, `custom:${draft.said.url(mark[0])}`, target, name)
    found = true
  }
  return found
}
