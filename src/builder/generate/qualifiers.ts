// What is said of a field beside its name, in whatever order: its type, its values, whether it has to be there.
import { valuesOf } from './listed-values.ts'

export interface Qualified {
  /** What is left when all of them are taken away. */
  name: string
  type?: 'number' | 'boolean' | 'date' | 'string'
  values?: string[]
  isRequired?: boolean
}

const TYPES: [string, NonNullable<Qualified['type']>][] = [
  ['(?:whole |decimal |natural )?(?:number|numeric(?: value)?|integer|int|decimal|float)', 'number'],
  ['boolean|bool|check ?box|tick ?box|yes\\/no|yes or no|on\\/off|on or off|true\\/false|true or false|y\\/n|switch', 'boolean'],
  ['date(?: and time)?|datetime|timestamp', 'date'],
  ['(?:plain |free |short |long )?text|string', 'string'],
]
const TYPE = TYPES.map(([words]) => words).join('|')
// "nothing needed" is a value, and says nothing of what must be there.
const MUST =
  '(?:required|mandatory|compulsory|obligatory|a must|(?<=^|[,(:–-] ?|\\b(?:is|are|also|always) )needed|(?:must|has to|needs to|should|have to)(?: always)? be (?:given|filled in|filled out|set|there|present|entered|provided))'
const MAY =
  '(?:optional|not required|not mandatory|not needed|(?:can|may) be (?:left )?(?:empty|blank|missing|left out)|if (?:there is|there are|they have|we have|he has|she has) (?:one|any|it|some)|if (?:known|given|any|available|needed|present|applicable|set))'
const LINK = '(?: ?[-–:=]|,)? ?(?:(?:which|that|it|this) (?:is|are|should be|has to be|must be) |being |is |as |of type |type )?'

const typed = (words: string): NonNullable<Qualified['type']> | undefined =>
  TYPES.find(([pattern]) => new RegExp(`^(?:an? )?(?:${pattern})(?: field| value)?$`, 'i').test(words.trim()))?.[1]

type Rule = [RegExp, (found: RegExpExecArray, so: Qualified) => boolean]

/** Each takes one thing away, from behind or in front; undefined types are left to the name. */
const RULES: Rule[] = [
  [/\s*\*$/, (_found, so) => must(so)],
  [
    new RegExp(`[ ,]*(?:[-–] ?)?(?:\\b(?:and|but) )?(?:(?:which|that|it|this|both) )?(?:(?:is|are) )?(?:also |always )?${MUST}$`, 'i'),
    (_found, so) => must(so),
  ],
  [new RegExp(`[ ,]*(?:[-–] ?)?(?:\\b(?:and|but) )?(?:(?:which|that|it|this) )?(?:(?:is|are) )?${MAY}$`, 'i'), () => true],
  [/^(?:an? |the )?(?:required|mandatory|compulsory|obligatory)(?: field)?(?: called| named)? (?=\S)/i, (_found, so) => must(so)],
  [/^(?:an? |the )?optional(?: field)?(?: called| named)? (?=\S)/i, () => true],
  // "name - required text"
  [
    new RegExp(`(?: ?[-–:=]|,| as) (?:an? )?(?:(required|mandatory|compulsory)|optional) (${TYPE})$`, 'i'),
    ([, needed, word = ''], so) => is(so, typed(word)) && (needed === undefined || must(so)),
  ],
  [
    /^(?:an? |the )?(?:yes\/no|tick ?box|check ?box|boolean|bool|true\/false)(?: field)? (?!field\b|called\b|named\b|for\b)(?=\S)/i,
    (_found, so) => is(so, 'boolean'),
  ],
  [
    /^(?:an? |the )?(?:enum|choice|selection|dropdown|select)(?: field)? ([^,:()]{1,40}?)(?::| (?:of|from|with|between))(?: either)? (.{3,200})$/i,
    ([, name = '', list = ''], so) => oneOf(so, list.replaceAll(/ and /g, ', ')) && keepName(so, name),
  ],
  // "score between 1 and 10", "out of 5"
  [
    /,? (?:on a scale |ranging )?(?:(?:of |between |from )\d{1,4} ?(?:and|to|-|–) ?\d{1,4}|out of \d{1,4})(?: stars| points)?$/i,
    (_found, so) => is(so, 'number'),
  ],
  [
    new RegExp(`${LINK}(?:an? )?(${TYPE})(?: field| value)?$`, 'i'),
    // "a due date" is named so, and so is "a serial number".
    ([all, word = ''], so) => /^(?: ?[-–:=]|,| (?:which|that|it|this|being|is|as|of type|type) )/i.test(all) && is(so, typed(word)),
  ],
  [
    new RegExp(`^(?:an? |the )?(?:new )?(${TYPE}|flag)(?: field| value| column)? (?:called|named|for) (?:the )?`, 'i'),
    ([, word = ''], so) => is(so, /^flag$/i.test(word) ? 'boolean' : typed(word)),
  ],
  [
    /(?: with (?:the |these )?(?:possible )?(?:values?|options?|choices?)(?: of)?|,? (?:(?:which|that|it) (?:is|can be|may be) |is |being )?(?:one of|chosen from|selected from|picked from)):? ([^()]{3,300})$/i,
    ([, list = ''], so) => oneOf(so, list.replaceAll(/ and /g, ', ')),
  ],
  [
    /(?: as| from|,) (?!the |an? (?!choice)|whether )(?:an? )?(?:choice (?:of|between) )?((?:[\w' -]{1,40}, )*[\w' -]{1,40}? or [\w' -]{1,40})$/i,
    ([, list = ''], so) =>
      !/:|\b(?:of|which|that|is|are|be|either)\b/i.test(so.name.slice(0, so.name.length - list.length)) && oneOf(so, list),
  ],
]

/** "(text, required)", "(required - one of low, high)": all of it is said of the name. */
function inBrackets(text: string, so: Qualified): string | undefined {
  const [, name, inner = ''] = /^([^()]{1,100}?)\s*\(([^()]{1,300})\)$/.exec(text) ?? []
  if (name === undefined) return undefined
  const parts = inner.split(/\s*[,;]\s*|\s+[-–]\s+/)
  const others = parts.filter(part => {
    if (new RegExp(`^(?:it )?(?:is )?(?:always )?${MUST}$`, 'i').test(part)) return !must(so)
    return !(new RegExp(`^${MAY}$`, 'i').test(part) || is(so, typed(part)))
  })
  if (others.length === 0) return name
  if (others.length === parts.length) return undefined
  // "(enum, low or high, required)"
  return `${name} (${others.join(', ')})`
}

/** Where the name stands between what is taken away. */
const keepName = (so: Qualified, name: string): boolean => {
  so.name = name
  return false
}
const must = (so: Qualified): boolean => {
  so.isRequired = true
  return true
}
function is(so: Qualified, type: Qualified['type']): boolean {
  if (type === undefined || so.type !== undefined || so.values) return false
  so.type = type
  return true
}
function oneOf(so: Qualified, list: string): boolean {
  const values = valuesOf(list)
  if (values.length < 2 || so.type !== undefined || so.values) return false
  so.values = values
  return true
}

const NAMED = /^(?:an? |the )?(?:enum|choice|selection|dropdown|select)\b/i

export function qualified(text: string): Qualified {
  const so: Qualified = { name: text.trim().replace(/,? (?:too|as well)$/i, '') }
  for (let before = ''; before !== so.name; ) {
    before = so.name
    so.name = (inBrackets(so.name, so) ?? so.name).trim()
    for (const [pattern, take] of RULES) {
      const found = pattern.exec(so.name)
      const rest = found ? so.name.slice(0, found.index) + so.name.slice(found.index + found[0].length) : ''
      if (found && (rest.trim() !== '' || NAMED.test(found[0])) && take(found, so)) so.name = rest.trim()
    }
  }
  return so
}
