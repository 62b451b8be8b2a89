// Steps that tell the team something, and what the notice says.
import type { Flow } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { eventTold } from './event-names.ts'
import { sentenceOf, titleOf } from './names.ts'
import { FILLERS, literal, lookAtRest, NARROWS, NOTICE, TEAM, UNREACHABLE, valuesIn, WORDS } from './sayings.ts'
import { QUOTE } from './sentences.ts'

/** "as a warning please, not just info", in brackets or between commas */
const LEVEL =
  /[,(]?\s*\b(?:(?:(?:as|with|at|of|by) (?:an? |the )?(?:level )?|and (?:with )?(?:the |a )?level )(warning|info(?:rmation)?|urgent)(?: level| message| notification)?|(urgent)ly)(?: please)?(?:,? (?:and )?not (?:just |only )?(?:as )?(?:an? )?(?:info|information|notice))?(?: please)?\)?,?/i

const AT_ONCE =
  /,? ?\b(?:by (?:an? )?(?:notification|notice|message|alert)|as well|too|also|at once|immediately|right away|straight ?away|instantly|asap|as soon as possible|automatically|at the (?:very )?end|in the end|last of all)\b/gi

export function notify(draft: Draft, flow: Flow, told: string): boolean {
  const [leveled = '', level = '', urgent] = LEVEL.exec(told) ?? []
  const text = told
    .replace(leveled, ' ')
    .replaceAll(AT_ONCE, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(TEXT_FIRST, 'with $<title> and $<text>')
    // Those who are notified where it is not said are the team.
    .replace(/^(notify|alert|warn) (?=«\d+»$)/i, '$1 the team ')
  // What is said of how it was is no text.
  if (/^[^«]*\b(?:rather than|instead of)\b/i.test(text)) return false
  // What the team is told may be to telephone.
  if (UNREACHABLE.test(text.replace(/ (?:that|to|about) .*$/i, ''))) return false
  const found =
    new RegExp(
      `^(notify|alert|tell|inform|warn|message|email|mail|let|ping|write to|write|remind|ask)(?: ${TEAM})\\b(?: know)?[,:]?\\s*(that |about |with |of |including |giving |to )?(.*)$`,
      'i',
    ).exec(text) ??
    new RegExp(
      `^(send|give)(?: ${NOTICE})?(?: to)? ${TEAM}\\b(?: ${NOTICE})?[,:]?\\s*(that |about |saying |with |including |containing )?(.*)$`,
      'i',
    ).exec(text)
  if (!found) return false
  const [all, verb = '', link = '', said = ''] = found
  if (/^(?:ask|remind)$/i.test(verb) && link.trim() === '' && !new RegExp(QUOTE).test(said)) return false
  // A warning is what the admins get a mail of.
  const isWarning =
    /^(?:warn|e?-?mail)$/i.test(verb) ||
    /\bwarning\b/i.test(all) ||
    /\burgent/i.test(all) ||
    /^(?:warning|urgent)$/i.test(level || (urgent ?? ''))
  const quoted = new RegExp(QUOTE).exec(said)?.[0]
  const isText = quoted === undefined && said.replaceAll(FILLERS, '').trim() !== '' && !/^(?:it|this|that)$/i.test(said)
  const isOwn = isText && (link !== '' || !NARROWS.test(said))
  // One team is told of everything: whose it is stands in front.
  const [, whose = ''] =
    /\b(?!(?:whole|entire|our|the|my|notify|alert|tell|inform|warn|message|e?mail|ping|remind|ask|write|send|give|to|let)\b)([\p{L}-]+) team\b/iu.exec(
      all,
    ) ?? []
  const plain = eventTold(flow.trigger)
  const front = whose === '' ? '' : `${titleOf(whose)}: `
  const toldOf = { ...plain, title: `${front}${plain.title}` }
  const values =
    isText && !/^(?:that|to|saying) $/i.test(link) ? valuesIn(draft, flow, said, /^(?:with|including|giving) $/i.test(link)) : undefined
  const headed = quoted === undefined ? undefined : titledIn(draft, flow, link + said, toldOf.body)
  const own = isOwn ? literal(sentenceOf(`${/^to $/i.test(link) ? 'please ' : ''}${draft.said.restore(said)}`)) : toldOf.body
  addStep(draft, flow, {
    type: 'notify',
    title: headed ? `${front}${literal(headed.title)}`.slice(0, 200) : toldOf.title,
    body: (headed ? headed.body : quoted ? literal(draft.said.quote(quoted)) : (values ?? own)).slice(0, 1_000) || toldOf.title,
    ...(isWarning && { level: 'warning' as const }),
  })
  if (headed) lookAtRest(draft, flow, headed.rest)
  else if (quoted) lookAtRest(draft, flow, said.replace(quoted, ' '))
  else if (isText && !isOwn && !values) lookAtRest(draft, flow, said)
  return true
}

/** Longer than this it is a text rather than a title. */
const TITLE_CHARS = 60

const TEXT_FIRST = new RegExp(
  `(?:with )?(?<text>(?:the |an? )?${WORDS} ${QUOTE}),? and (?:with )?(?<title>(?:the |an? )?(?:title|subject|heading|headline)(?: is| of|:)? ${QUOTE})$`,
  'i',
)

/** 'with the title "New sale" and the total in the text', '"New sale"': few words without a full stop are a title. */
function titledIn(draft: Draft, flow: Flow, said: string, plain: string): { title: string; body: string; rest: string } | undefined {
  const [before = '', mark = ''] = new RegExp(`^(?:(.*?) )??(${QUOTE})`, 'i').exec(said)?.slice(1) ?? []
  const words = draft.said.quote(mark)
  const isTitle = /\b(?:title|subject|headline|heading)(?: is| of|:)?$/i.test(before)
  const isShort = words.length <= TITLE_CHARS && !/[.!?…:;]$|\n/.test(words) && !/\b(?:text|body|words|saying|says|reads)$/i.test(before)
  if (words === '' || !(isTitle || isShort)) return undefined
  const behind = said.slice(said.indexOf(mark) + mark.length)
  const [, text] = new RegExp(`^(?:,? and|,) (?:with )?(?:the |an? )?${WORDS} (${QUOTE})$`, 'i').exec(behind) ?? []
  if (text) return { title: words, body: literal(draft.said.quote(text)), rest: '' }
  const [, wanted] =
    /^,? ?(?:and|with|which says|that says|saying|that has|giving|including|mentioning|showing|plus)(?: with)? (.+?)(?: (?:in|as) (?:the |its )?(?:text|body|message))?$/i.exec(
      behind,
    ) ?? []
  const values = wanted === undefined ? undefined : valuesIn(draft, flow, wanted)
  const rest = `${isTitle ? '' : before.replace(/\b(?:about|of|that|with|giving|including|to)$/i, '')} ${values === undefined ? behind : ''}`
  return { title: words, body: values ?? plain, rest }
}

const IN_NOTICE =
  '(?: (?:in|into|to|on|as) (?:it|there|the (?:text|body|title|notification|message|alert|notice|note|warning)(?: of it)?))?'
const MENTIONS = [
  new RegExp(
    `^(?:put|include|mention|add|show|write|state|give|say|tell (?:them|us))(?: there| also| in it)? (.{2,200}?)${IN_NOTICE}$`,
    'i',
  ),
  /^(?:in|inside|into) (?:the|this|that|its) (?:text of the |body of the )?(?:notification|message|alert|notice|note|warning|text|body)(?: there)? (?:should|must|shall|please|i want|we want|put|comes?|stands?|goes?)(?: be| stand| appear| come| go| include| to see| to have| to read)? (.{2,200})$/i,
  /^(?:the |this |that |its )?(?:notification|message|alert|notice|note|warning|it|text|body) (?:should|must|needs? to|has to|ought to|shall) (?:also )?(?:say|contain|include|mention|have|show|tell|name|state|give|carry|list) (.{2,200})$/i,
  /^(.{2,200}?) (?:should|must|shall|has to|have to|needs? to) (?:also )?(?:be|stand|appear|come|go) (?:in|into) (?:it|the (?:text|body|title|notification|message|alert|notice|note|warning))$/i,
]

const MAILED =
  /^(?:(?:it|this|that|the (?:notification|alert|notice)) (?:(?:should|must|shall|has to|is to|also) )+be (?:e-?)?mailed(?: to (?:the |all )?admins?)?|(?:e-?)?mail (?:it|this|that)(?: to (?:the |all )?admins?)?|(?:the |all )?admins? (?:should|must) (?:also )?(?:get|receive) (?:it|this|that|a copy|an? e-?mail)(?: by e-?mail)?)(?: (?:too|as well|also))?$/i

/** "In the notification should stand the customer's name": what the last one tells. */
export function mention(draft: Draft, flow: Flow, text: string): boolean {
  const last = flow.steps.findLast(({ type }) => type === 'notify')
  // A warning is what the admins get a mail of.
  if (last?.type === 'notify' && MAILED.test(text)) {
    last.level = 'warning'
    return true
  }
  const said = MENTIONS.map(pattern => pattern.exec(text)?.[1]).find(each => each !== undefined)
  const values = last && said !== undefined ? valuesIn(draft, flow, said) : undefined
  if (last?.type !== 'notify' || values === undefined) return false
  last.body = `${last.body === eventTold(flow.trigger).body ? '' : `${last.body}\n`}${values}`.slice(0, 4_000)
  return true
}
