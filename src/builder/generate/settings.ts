// Sentences about settings: "It needs a secret api key", "the admin chooses a region", "the licence key is a secret setting".
import type { Config } from '../../apps/manifest/shape.ts'
import { include } from './calls.ts'
import { type Draft, notUnderstood, put } from './draft.ts'
import { fieldOf } from './fields.ts'
import { itemsOf } from './items.ts'
import { bare, nameOf, titleOf } from './names.ts'
import { QUOTE } from './sentences.ts'

export const IS_SETTING =
  /\b(?:settings?|secrets?|api[ -]?keys?|(?:api |access |auth |bearer )?tokens?|passwords?|options?|credentials?|configuration)\b/i
const IS_SECRET = /\b(?:secret|password|token|api[ -]?key|private key|signing key|credential)\b/i

/** Those who give a setting its value, and how they are said to. */
const SETTER = '(?:the |an |each |every )?(?:shop |store )?(?:admin|owner|shop|workspace|manager)s?'
const SETS =
  '(?:can |may |might |could |must |has to |have to |needs? to |should |will )?(?:also |optionally )?(?:be able to )?(?:sets?|enters?|gives?|chooses?|decides?|defines?|selects?|configures?|provides?|picks?|specif(?:y|ies)|suppl(?:y|ies)|adjusts?|types? in|fills? in|(?:switch|turn)(?:es|s)? (?:on|off)(?: or off)?|enables?|activates?)'
/** "points per euro, a number": no setting is called number, while a field may be. */
const ALSO_TYPED = /,\s*(?:an? )?(number|text|date)(?=\s*(?:,|$|\.| and ))/gi

/** What is said of a setting before it is named. */
const SORT =
  '(?:(?:required|mandatory|compulsory|optional|secret|numeric|number|text|string|boolean|yes\\/no|true\\/false|date|new|own|separate)(?:,| and)? )*'
const LEAD = new RegExp(
  `^(?:(?:please|plus|also|and|with|then) )*(?:(?:there (?:is|are|should be|must be|has to be|will be)|add|create|have|make|include|provide|(?:we|i|it|the app|this app|the shop) (?:also )?(?:would like|needs?|have|has|wants?|uses?|requires?|gets?)|hold|contain|offer|support) )?(?:(?:the|its|these|some|an?|one|two|three|four|five|\\d|following|more|another) )*(?<sort>${SORT})(?:settings?|config(?:uration)?|options?|secrets?)(?: (?:only|are|is|needed|required|necessary|(?:by|for) (?:it|this app|the app|the service|the shop)|(?:that |which )?(?:we|i|it|the app) (?:needs?|wants?|would like|have|has)))*(?<link>:|,(?= ?[\\w«-]+)| called| named| for(?: the)?|(?= [\\w«-]+(?:,|$| \\(|:| (?:that|which|of|is|as|can|with|may|and|plus)\\b)))\\s*(?<list>.+)$`,
  'i',
)

/** That the app cannot do without it, or that its value must be given. */
const NEEDS = /\b(?:needs?|requires?|needed|asks for|must|has to|have to|needs to|necessary)\b/i

/** "It needs a secret api key and a setting for the region, which is eu or us." */
export function readSettings(draft: Draft, told: string): boolean {
  const sentence = told
    .replace(new RegExp(`^(?:let|allow|have) (${SETTER}) (?:to )?(?=${SETS} )`, 'i'), '$1 can ')
    .replace(/^in (?:the |our |its )?(?:app )?settings,? (?=(?:the |an? )?(?:shop |store )?(?:admin|owner|shop|manager)\b)/i, '')
    // "can choose between test and live mode"
    .replace(/\b(chooses?|picks?|selects?) between ([\w-]+) (?:and|or) ([\w-]+) ([\w-]+)$/i, '$1 a $4 of $2 or $3')
    .replaceAll(new RegExp(QUOTE, 'g'), mark => (/^[\w -]{1,40}$/.test(draft.said.quote(mark)) ? draft.said.quote(mark) : mark))
    .replace(/(?<=\b(?:settings?|secret)\b.*?),? and (?:one|another)(?: one)? (?=(?:for|called|named)\b)/i, ' and a setting ')
    .replace(/ (?:in|on|through|via|under) (?:the |its |our )?(?:app's )?(?:settings|configuration|config)$/i, '')
  const isInSettings = sentence.length < told.length && /\bsettings|config/i.test(told.slice(-16))
  const found =
    /^(?:and |also )*(?:it|the app|this app|we|this)(?: also)? (?:needs|requires|need|require|asks for|wants|has|takes|uses)\s+(.+)$/i.exec(
      sentence,
    ) ?? new RegExp(`^${SETTER} ${SETS}:?\\s+(.+)$`, 'i').exec(sentence)
  const [, required] = /^(.+?)(?<!\b(?:which|that|it)) (?:is|are) (?:required|mandatory|needed|necessary)$/i.exec(sentence) ?? []
  const [, of = '', sort = '', key, isNeeded = ''] = SETTING_IS.exec(sentence) ?? []
  if (of !== '') {
    addSetting(
      draft,
      `${/secret/i.test(`${sort} ${isNeeded} ${sentence}`) ? 'secret ' : ''}${key ?? of}${typeIn(sort)}${/optional/i.test(`${sort} ${isNeeded}`) ? ' (optional)' : ''}`,
      /required|mandatory|needed/i.test(`${sort} ${isNeeded}`),
    )
    return true
  }
  const apposed = APPOSED.exec(sentence)?.groups
  if (apposed) {
    const { name = '', sort = '', deed = '' } = apposed
    addSetting(draft, name, /required|mandatory/i.test(sort), sort)
    if (!SENT_ALONG.test(deed)) return false
    const call = draft.flow?.steps.findLast(({ type }) => type === 'call_skill')
    return draft.flow !== undefined && call !== undefined && include(draft, draft.flow, `include ${name}`)
  }
  const chosen = CHOSEN_IN.exec(sentence)?.groups
  if (chosen) {
    addSetting(draft, `${chosen['sort'] ?? ''}${chosen['key']}`, /required|mandatory/i.test(`${chosen['sort']} ${chosen['tail']}`))
    return true
  }
  const lead = required === undefined ? LEAD.exec(sentence)?.groups : undefined
  const listed = lead?.['list']
  if (listed !== undefined && !/^(?:the|an?) /i.test(listed.replace(/^(?:the|an?) (?=[\w'-]+(?: |,|$))/i, ''))) {
    const front = sentence.slice(0, sentence.length - listed.length)
    // "two settings needed: …": of each that is secret.
    const isNeeded = NEEDS.test(front)
    const all = /(?:settings|options|secrets|config\w*)(?: \w+)*[:,]? *$/i.test(front)
    const sortOfAll = `${lead?.['sort'] ?? ''}${/secrets?\b/i.test(front) ? ' secret' : ''}`
    for (const [at, item] of itemsOf(listed.replaceAll(ALSO_TYPED, ' ($1)')).entries())
      addSetting(draft, item, false, at === 0 || all ? sortOfAll : '', isNeeded)
    return true
  }
  const isSet = isInSettings || new RegExp(`^${SETTER}`, 'i').test(sentence)
  const words =
    found?.[1] ??
    required ??
    (isInSettings ? sentence.replace(/ (?:is|are|can be|may be) (?:set|chosen|given|entered|picked|kept)$/i, '') : undefined)
  if (words === undefined || !(isSet || IS_SETTING.test(words))) return false
  // "… must enter a token and may choose a region"
  const isSetBy = found !== null && found[0].length > 0 && new RegExp(`^${SETTER} `, 'i').test(sentence)
  let isMust = isSetBy && MUST_SET.test(sentence)
  for (const item of itemsOf(words.replaceAll(ALSO_TYPED, ' ($1)'))) {
    const plain = item.replace(new RegExp(`^(?:(?:he|she|they|it|to) )?${SETS}\\s+`, 'i'), '')
    if (plain !== item) isMust = MUST_SET.test(item)
    addSetting(draft, plain, required !== undefined || isMust, '', NEEDS.test(sentence.slice(0, sentence.length - words.length)))
  }
  return true
}

const MUST_SET = new RegExp(`^(?:${SETTER} )?(?:also )?(?:must|has to|have to|needs? to)\\b`, 'i')

/** "The licence key is a secret setting, licence_key, and it's required." */
const SETTING_IS =
  /^(?:the |our |its |this |that )?([^,:«‹]{2,60}?) (?:is|are|should be|must be|shall be|comes from|is kept (?:as|in)|is stored (?:as|in)|is) (?:an? |the )?((?:required |mandatory |optional |secret |number |numeric |text |boolean |yes\/no |new )*)(?:settings?|option|secret|config(?:uration)?(?: value)?)(?:,? (?:(?:called|named) )?(?!and\b|which\b|that\b|it\b|it's\b|required\b|optional\b)([\w-]+(?: (?!and\b|which\b|it\b|it's\b|is\b)[\w-]+){0,2}))?((?:,? (?:and |which |that )?(?:it's |it is |is |which is |that is )?(?:required|mandatory|optional|secret|needed))*)$/i

/** "Our warehouse key, a required secret, should be sent along." */
const APPOSED =
  /^(?:the |our |its |my )?(?<name>[\w -]{2,40}?), (?:which is |that is )?(?:an? |the )?(?<sort>(?:required |mandatory |optional |secret )*(?:secret|setting)(?: setting)?), (?<deed>.{3,80})$/i
const SENT_ALONG =
  /^(?:should|must|shall|has to|is to|is|will) (?:also )?(?:be )?(?:sent|passed|given|handed|included|posted|told)(?: (?:along|over|too|as well|with it|to it|there|in the call))*$/i

/** "Which tag, the admin chooses in a setting called vip_tag, it is required." */
const CHOSEN_IN = new RegExp(
  `^(?:which |what |the )?[\\w' -]{2,50}?,? (?:(?:that )?${SETTER} ${SETS}|(?:is|are|can be|should be|will be) (?:chosen|set|picked|entered|configured|given|decided)(?: by ${SETTER})?) (?:in|with|by|through|via) (?:an? |the )(?<sort>(?:required |mandatory |optional |secret |number |text |boolean )*)(?:setting|option),? (?:called |named )?(?<key>[\\w-]+)(?<tail>(?:,? (?:and |which |that |it )?(?:it's |it is |is )?(?:required|mandatory|optional|secret))*)$`,
  'i',
)

const typeIn = (sort: string): string => {
  const [type] = /\b(?:number|numeric|text|boolean|yes\/no)\b/i.exec(sort) ?? []
  return type ? ` (${type.replace(/numeric/i, 'number')})` : ''
}

/** @param sort what is said before it: "a required number setting called …" */
function addSetting(draft: Draft, item: string, isRequired: boolean, sort = '', isNeeded = false): void {
  const isTyped = /\(\s*(?:number|numeric|text|string|boolean|yes\/no|true\/false|date)\b/i.test(item) && !/\bsecret\b/i.test(item)
  const isSecret = !isTyped && IS_SECRET.test(`${sort} ${item.replaceAll('_', ' ')}`)
  const said = item
    .replaceAll(
      /(?<!\b(?:called|named) [\w-]{1,30}),? (?:(?:which|that|it) (?:is|stays|must be) )?(?:kept )?(?:an? )?(?:secret|private)(?=$|,| and\b)/gi,
      '',
    )
    .replace(/^(?:an? )?(number|boolean|yes\/no|text|date)(?: settings?| options?)? (?:called|named|for) (?:the )?(.+)$/i, '$2 ($1)')
    .replace(/ (?:settings?|options?)(?=,? (?:(?:that|which) (?:is|can be|may be)|of|either|from) )/i, '')
    .replace(/\b(?:an? )?(?:secret|private)\s+(?=(?:setting )?(?:called|named|for)\b)/i, '')
    .replace(/,?\s*\b(?:a )?secret\b,?\s*(?=[^()]*\))/i, ' ')
    .replace(/\(\s*\)/, '')
    .replace(/\bsecret (?=[\w«])/i, '')
    .replace(/\b(?:settings?|options?|values?) (?:for|called|named|of)(?: the)? /i, '')
    .replace(/\b(?:called|named) /i, '')
    .replace(/^(?:an? |the )?((?:optional |required |mandatory |new )*)(?:setting|option) (?=\S)/i, '$1')
    .replace(/\b(?:settings?|options?)$/i, '')
    .replace(/^(?:an? )?switch for (?:the |an? )?(.+)$/i, '$1 (yes/no)')
    .trim()
  const [word] = /\b(?:number|numeric|text|string|boolean|yes\/no|true\/false|date)\b/i.exec(sort) ?? []
  const field = fieldOf(word && !/\bor\b|\(/.test(said) ? `${said} (${word})` : said)
  const { config } = draft.manifest
  // A key that is a clause is none.
  if (!field || /(?:^|_)(?:chooses?|decides?|sets?|enters?|picks?|is|are)_|^(?:which|what)_/.test(field.name)) {
    notUnderstood(draft, item)
    return
  }
  const key = nameOf(field.name).replace(/^own_/, '') || 'setting'
  if (config.some(each => each.key === key)) return
  const type = isSecret && field.type !== 'enum' ? 'secret' : field.type === 'date' ? 'string' : field.type
  // Required is what is said to be (a manifest's own rule); that the app needs a secret says so.
  const isOptional = /\boptional\b/i.test(`${sort} ${item}`)
  const mustBe =
    isRequired || field.required || /\b(?:required|mandatory|compulsory)\b/i.test(sort) || (type === 'secret' && isNeeded && !isOptional)
  const setting: Config = {
    key,
    type,
    ...(mustBe && { required: true }),
    ...(type === 'enum' && field.enumValues && { enumValues: field.enumValues }),
  }
  put(draft, 'config', { ...setting, description: titleOf(bare(field.name)) })
}
