// What skills, pages, texts and messages hold: addresses, and what they say.
import type { Skill, Step, View } from '../../apps/manifest/shape.ts'
import { type Draft, put } from './draft.ts'
import type { Target } from './meant.ts'
import { free, idOf, sentenceOf, titleOf } from './names.ts'
import { literal } from './sayings.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { stepIn } from './step-names.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'

const MOVES =
  /\b(?:is now|are now|now (?:at|under|lives|is)|moved|has changed|have changed|change|changed|new address|instead|point|switch|set|update|should (?:now )?(?:be|call|open|show|use|point)|lives? at|is at|was moved|move|moves|replace)\b/i
/** Words around what has an address. */
const AROUND =
  /\b(?:is|are|was|now|at|to|the|its|our|address|url|endpoint|link|of|for|has|have|been|moved|changed|new|change|point|should|must|be|call|open|show|use|from|and|update|set|switch|it|lives|under|move|moves|instead|replace|by|with|also|on|in)\b|[,:.]/gi

/** "The diagnose skill is now at https://…, and the board page at https://…" */
export function changeAddress(draft: Draft, text: string): boolean {
  const marks = [...text.matchAll(new RegExp(URL_MARK, 'g'))]
  if (marks.length === 0 || !MOVES.test(text)) return false
  const { skills, views } = draft.manifest
  const known = (url: string): Skill | View | undefined =>
    skills.find(({ endpoint }) => endpoint === url) ?? views.find(({ component }) => component === `custom:${url}`)
  const [first, second] = marks.map(([mark]) => draft.said.url(mark as string))
  const replaced = marks.length === 2 && first !== undefined ? known(first) : undefined
  if (replaced && second !== undefined) return lead(replaced, second)
  const found: [Skill | View, string][] = []
  for (const [at, mark] of marks.entries()) {
    const before = marks[at - 1]
    const words = text.slice(before ? before.index + before[0].length : 0, mark.index)
    const behind = at === marks.length - 1 ? text.slice(mark.index + mark[0].length) : ''
    const target = named(draft, words) ?? named(draft, behind)
    if (!target) return false
    found.push([target.kind === 'skill' ? target.skill : target.view, draft.said.url(mark[0])])
    speakOf(draft, target)
  }
  for (const [part, url] of found) lead(part, url)
  return true
}

function named(draft: Draft, words: string): Extract<Target, { kind: 'skill' | 'view' }> | undefined {
  const name = words.replaceAll(AROUND, ' ').replaceAll(/\s+/g, ' ').trim()
  const target = name === '' ? draft.spoken : targetOf(draft, name, ['skill', 'view'])
  if (target?.kind === 'view' && !target.view.component.startsWith('custom:')) return undefined
  return target?.kind === 'skill' || target?.kind === 'view' ? target : undefined
}

function lead(part: Skill | View, url: string): true {
  if ('endpoint' in part) part.endpoint = url
  else part.component = `custom:${url}`
  return true
}

const ENTRY = '(?:knowledge(?: (?:entry|text|article))?|entry|text|article|faq|fact|one)'
const NEW_ENTRY = [
  new RegExp(
    `^add (?:an?|another|one)?(?: (?:more|new|further|other))*(?: ${ENTRY})?(?: (?:entry|text|article))?(?:,? (?:titled|called|named|with (?:the )?title|about|on))? (?<title>${QUOTE}|[^:«]{2,60}?)(?:,? (?:that|which|with the (?:text|content)|and (?:the )?(?:text|content))(?: says| reads| is)?|,? saying|,? with)?: ?(?<text>.{3,2000})$`,
    'i',
  ),
  new RegExp(
    `^add (?:an?|another|one)?(?: (?:more|new|further|other))*(?: ${ENTRY})(?: (?:entry|text|article))?,? (?:titled|called|named|with (?:the )?title) (?<title>${QUOTE}),? (?:(?:that|which) (?:says|reads)|with (?:the )?(?:text|content)|saying|and (?:the )?(?:text|content))(?: is)?:? (?<text>${QUOTE})$`,
    'i',
  ),
]
const CHANGED = [
  new RegExp(
    `^(?:change|set|update|replace|rewrite) (?:the )?(?:text |content |wording )?(?:of |for )?(?<name>.{2,60}?) (?:to|with|by|so that it (?:says|reads))(?: say| read)?:? (?<text>${QUOTE})(?: instead)?$`,
    'i',
  ),
  new RegExp(
    `^(?<name>.{2,60}?) (?:should|must|shall|has to|have to|is to|are to|ought to)(?: now)?(?: rather)? (?:say|read|be|be changed to|tell|state)(?: now)?:? (?<text>${QUOTE})(?: (?:now|instead).*)?$`,
    'i',
  ),
  new RegExp(`^(?<name>.{2,60}?) (?:is|are|says|reads)(?: now):? (?<text>${QUOTE})(?: instead)?$`, 'i'),
  new RegExp(`^(?<name>)say (?<text>${QUOTE})$`, 'i'),
  new RegExp(`^(?:(?:the|our|its) )?(?<name>[\\p{L} -]{2,40}?): (?<text>${QUOTE})$`, 'iu'),
  new RegExp(`^(?:make|let|have|set) (?<name>.{2,60}?)(?: (?:be|say|read|to))?:? (?<text>${QUOTE})(?: instead)?$`, 'i'),
]

/** "Delete the entry about returns, and add one titled …: …", "the shipping text should say …" */
export function changeKnowledge(draft: Draft, text: string): boolean {
  const { knowledge } = draft.manifest
  const added = NEW_ENTRY.map(pattern => pattern.exec(text)?.groups).find(found => found !== undefined)
  const isEntry =
    /\b(?:knowledge|entry|article|faq)\b/i.test(text) || (/^add (?:another )?one\b/i.test(text) && draft.topic === 'knowledge')
  if (added && isEntry) {
    const title = titleOf(unquoted(draft, added['title'] ?? '')).slice(0, 200)
    const content = unquoted(draft, added['text'] ?? '')
    return put(draft, 'knowledge', {
      id: free(
        idOf(title, 'text'),
        knowledge.map(({ id }) => id),
      ),
      title: new RegExp(QUOTE).test(added['title'] ?? '') ? unquoted(draft, added['title'] ?? '').slice(0, 200) : title,
      content: new RegExp(`^${QUOTE}$`).test(added['text'] ?? '') ? content : sentenceOf(content),
    })
  }
  // "Opening hours are now Monday to Saturday": of an entry that is there.
  const [, topic = '', news] = /^(?:the |our )?([^«»,:]{2,40}?) (?:is|are) now ([^«»]{3,300})$/i.exec(text) ?? []
  const told = news === undefined ? undefined : targetOf(draft, topic, ['knowledge'])
  if (told?.kind === 'knowledge') {
    told.entry.content = sentenceOf(draft.said.restore(text.replace(/ (is|are) now /i, ' $1 ')))
    return true
  }
  const changed = CHANGED.map(pattern => pattern.exec(text)?.groups).find(found => found !== undefined)
  const target = changed && targetOf(draft, changed['name'] ?? '', ['knowledge'])
  if (target?.kind !== 'knowledge') return false
  if (/^(?:the )?(?:title|name|heading) /i.test(changed?.['name'] ?? '')) {
    target.entry.title = unquoted(draft, changed?.['text'] ?? '').slice(0, 200)
    return true
  }
  target.entry.content = unquoted(draft, changed?.['text'] ?? '')
  return true
}

/** "The greeting should say …", "change the title of the notification to …" */
export function changeText(draft: Draft, text: string): boolean {
  const { name = '', text: quoted = '' } =
    [...CHANGED, new RegExp(`^(?:say|send|write) (?<text>${QUOTE})(?<name> instead)(?: of .{1,60})?$`, 'i')]
      .map(pattern => pattern.exec(text)?.groups)
      .find(found => found !== undefined) ?? {}
  if (quoted === '') return false
  const words = literal(unquoted(draft, quoted))
  if (/\bdescription\b/i.test(name)) return describe(draft, name.replace(/(?:the )?description (?:of|for) /i, ''), words)
  const isTitle = /\b(?:title|subject|heading)\b/i.test(name)
  const plain = name
    .replace(/^(?:the )?(?:title|subject|heading|text|body|wording|message|content)s? (?:of|in|for|to) (?:the )?/i, '')
    .replace(/^(?:its|the) (?:title|subject|heading|text|body|wording|content)$/i, '')
  if (/\b(?:tag|word|value|wait)\b/i.test(name)) return false
  const named = /^(?:the )?(?:reminder|message|notification|notice|alert|warning)$/i.test(plain) ? stepIn(draft, plain) : undefined
  if (named && (named.step.type === 'send_message' || named.step.type === 'notify')) return say(named.step, words, isTitle)
  const isPlain = /^(?:the )?(?:message|text|title|body|instead|it|notification)?$/i.test(plain.trim())
  const target = isPlain
    ? undefined
    : (targetOf(draft, plain, ['flow', 'view', 'setting']) ??
      targetOf(draft, plain.replace(/ (?:message|text|notification|notice|title|question|wording|reminder)$/i, ''), ['flow']))
  if (!isPlain && !target) return false
  if (target?.kind === 'view' || target?.kind === 'setting') return false
  if (target) speakOf(draft, target)
  const flows = target?.kind === 'flow' ? [target.flow] : [draft.flow, ...draft.manifest.flows]
  const steps = flows.flatMap(flow => flow?.steps ?? [])
  const isNotice = isTitle || /\b(?:notif|alert|warning|notice)/i.test(name)
  const step =
    steps.find(({ type }) => type === (isNotice ? 'notify' : 'send_message')) ??
    steps.find(({ type }) => type === 'notify' || type === 'send_message')
  return step !== undefined && say(step, words, isTitle)
}

function say(step: Step, words: string, isTitle: boolean): boolean {
  if (step.type === 'send_message') step.text = words.slice(0, 4_000)
  else if (step.type === 'notify' && isTitle) step.title = words.slice(0, 200)
  else if (step.type === 'notify') step.body = words.slice(0, 4_000)
  return true
}

function describe(draft: Draft, name: string, words: string): boolean {
  if (/\bapp\b/i.test(name)) draft.manifest.description = words.slice(0, 2_000)
  const target = /\bapp\b/i.test(name) ? undefined : targetOf(draft, name, ['setting', 'skill', 'flow'])
  if (target?.kind === 'setting') target.setting.description = words.slice(0, 1_000)
  else if (target?.kind === 'skill') target.skill.description = words.slice(0, 4_000)
  else if (target?.kind === 'flow') target.flow.description = words.slice(0, 1_000)
  return target !== undefined || /\bapp\b/i.test(name)
}
