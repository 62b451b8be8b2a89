// Lists as people write them, cut into their items.

export const TYPE_WORDS = 'number|numeric|integer|decimal|boolean|bool|checkbox|yes\\/no|flag|date|datetime|timestamp|text|string'
/** "chest, waist and hips are numbers": and those before it of which nothing was said. */
export const ARE = new RegExp(`^(.{1,60}?) (?:are|as) (?:all |both )?(?:(${TYPE_WORDS})s|(required|mandatory))$`, 'i')

/** What begins an item of its own, rather than another value of the one before. */
const BEGINS = /^(?:a|an|the|whether|if|required|mandatory|optional|their|its|one|how many)\s/i

/** @returns the items of a list: what lies in brackets stays together, and so do the values of an enum */
export function itemsOf(text: string): string[] {
  const parts = splitOutside(text)
  const items: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const end = enumEnd(parts, at)
    items.push(parts.slice(at, end + 1).join(', '))
    at = end
  }
  return items
}

/** Behind a comma, what is said of the item before: no field has such a name. */
const APPOSED =
  /^(?:(?:an? )?(?:whole |decimal |true or false |yes or no )?(?:integer|decimal|float|boolean|bool|checkbox|yes\/no|true\/false|yes or no|true or false|string|free text|timestamp)|(?:(?:which|this|it) is )?(?:required|mandatory|compulsory|obligatory|optional|not required)|(?:(?:(?:which|this|it|that) (?:is|stays) )?(?:kept )?(?:an? )?secret)|if (?:there is|there are|they have|known|given|any|available|needed)(?: one| any| it| some)?)$/i

/** What is one of a few by its name. */
export const ONE_OF =
  /\b(?:level|tier|status|state|type|kind|sort|class|category|group|size|colou?r|priority|grade|rank|plan|stage|mode|channel|region|gender|language|currency|unit|theme|position|shape|season)s?$/i

/** What has its end behind "and". */
const UNENDED =
  /\bbetween \d{1,4}$| with (?:the |these )?(?:possible )?(?:values?|options?|choices?)(?: of)? [\w-]+$|\benum\b.* of [\w-]+$/i

function splitOutside(text: string): string[] {
  let depth = 0
  let part = ''
  const parts: string[] = []
  for (const word of text.split(
    /(\(|\)|,\s*(?:and|as well as)\s+|,\s*plus\s+(?!or\b)|,\s*|\s+and\s+|\s+plus\s+(?=an?\s|the\s)|\s+as well as\s+)/,
  )) {
    if (word === '(') depth++
    if (word === ')') depth--
    if (depth === 0 && /^(?:,\s*(?:and|plus|as well as)\s+|,\s*|\s+and\s+|\s+plus\s+|\s+as well as\s+)$/.test(word)) {
      parts.push(part)
      part = ''
    } else part += word
  }
  const trimmed = [...parts, part].map(each => each.trim()).filter(each => each !== '')
  const whole: string[] = []
  // "a token, which is secret" is one.
  for (const each of trimmed)
    if (whole.length > 0 && /^(?:(?:which|that) (?:is|are|can|may)|one of|either|being)\b/i.test(each))
      whole[whole.length - 1] += ` ${each}`
    // "a key, which is secret and has to be set"
    else if (whole.length > 0 && / (?:which|that) (?:is|has|should|must|can)\b/i.test(whole.at(-1) as string) && STILL.test(each))
      whole[whole.length - 1] += `, ${each}`
    // "points per euro, a number, required" too
    else if (whole.length > 0 && APPOSED.test(each)) whole[whole.length - 1] += `, ${each}`
    // "a level, low or high"
    else if (whole.length > 0 && /^[\w-]+ or [\w-]+$/i.test(each) && ONE_OF.test(whole.at(-1) as string))
      whole[whole.length - 1] += `, ${each}`
    // "between 1 and 10", "with the values low and high"
    else if (whole.length > 0 && UNENDED.test(whole.at(-1) as string) && /^[\w-]+$/.test(each)) whole[whole.length - 1] += ` and ${each}`
    else whole.push(each)
  return whole
}

/** What goes on with what is said of an item. */
const STILL =
  /^(?:is|are|has to|have to|needs? to|must|should|can|may|cannot|required|mandatory|optional|secret)(?: (?:be|set|given|filled|in|out|always|also|required|mandatory|optional|secret|left|empty|blank|kept|hidden))*$/i

/** Of which the type is said. */
const TYPED = new RegExp(`(?:[:=–-]| as| is)\\s*(?:an? )?(?:${TYPE_WORDS})(?: \\w+)?$`, 'i')
/** "level as low or high" has values of its own. */
const OWN_VALUES = new RegExp(
  `^[^,]{1,40}? (?:as|of|is|are|being|either|from|can be|which|that)\\b.* or |(?:[:=–-]| as| is)\\s*(?:an? )?(?:${TYPE_WORDS})$`,
  'i',
)

/** The last part of an enum that begins here: "a plan of basic" "plus or pro". */
function enumEnd(parts: readonly string[], from: number): number {
  const first = parts[from] as string
  if (ARE.test(first) || TYPED.test(first)) return from
  if (!/\s(?:of|is|are|being|either|from|can be)\s+\S|:\s*\S/i.test(first) || / or /i.test(first)) return from
  // "a preferred time of morning, afternoon or evening"
  if (
    /^(?:an? |the )?(?:\w+ )?(?:time|day|place|name) of [\p{L}-]+$/iu.test(first) &&
    /^[\p{L}-]+ or [\p{L}-]+$/iu.test(parts.at(-1) ?? '')
  ) {
    if (parts.slice(from + 1, -1).every(part => /^[\p{L}-]+$/u.test(part))) return parts.length - 1
  }
  if (/^(?:\w+ ){0,2}(?:number|count|date|day|time|place|proof|cost|price|name) of /i.test(first) && !/ or /i.test(first)) return from
  // "severity: mild, moderate, severe": no other field is one word behind a colon.
  if (/^[\w -]{2,40}: [\w-]+$/.test(first)) {
    let last = from
    while (/^[\p{L}-]+$/u.test(parts[last + 1] ?? '')) last++
    if (last > from + 1 || (last > from && last === parts.length - 1)) return / or /i.test(parts[last + 1] ?? '') ? last + 1 : last
  }
  // "room, one of Sun, Moon, Cellar"
  if (/\b(?:one of|either) [\w-]+$/i.test(first) && parts.slice(from + 1).every(part => /^[\p{L}\d-]+(?: [\p{L}\d-]+)?$/u.test(part)))
    return parts.length - 1
  for (let at = from + 1; at < parts.length; at++) {
    const part = parts[at] as string
    if (BEGINS.test(part) || OWN_VALUES.test(part) || part.includes('(') || /\bor not\b|\byes or no\b/i.test(part)) return from
    if (/(?:^| )or /i.test(part)) return at
  }
  return from
}
