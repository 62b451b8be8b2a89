// No word is lost: a word counts as read where another word in its place, or none, would have made something else of the clause. What the readers claim does not
// count, so a word that a pattern skips, or takes and does not use, is told as not understood.
import { QUOTE, URL_MARK } from './sentences.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean))

/** Words that hold a sentence together, and those of courtesy: nothing is asked for by them. None narrows, negates, counts or times. */
const IDLE = words(`
a an the this that these those such it its itself they them their theirs themselves he him his she her i me my mine we us our ours you your who whom whose which what there here
and or but so also too as well then than plus
am is are was were be been being do does did has have had having can could may might shall should will would must ought need needs needed want wants like love wish let lets make makes get gets got
to of in on at for with by from into onto about per via through
please kindly thanks thank thx cheers hi hello ok just simply really actually basically now already still always automatically immediately instantly straight away of course right completely entirely altogether
every each all any some both belong belongs
i'd we'd i'll we'll i've we've i'm we're it's that's there's they're who's what's let's
`)
/** Words of manifests, each row with a word of another meaning: a reader that knows the one knows the other apart from it. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  [
    ['text string words line', 'number'],
    ['number numbers numeric integer int decimal float', 'text'],
    ['boolean bool flag checkbox yes/no date time datetime', 'text'],
    ['required mandatory compulsory obligatory must', 'optional'],
    ['optional', 'required'],
    ['secret', 'number'],
    ['tab tabs panel', 'page'],
    ['page pages screen', 'tab'],
    ['dashboard', 'customer'],
    ['title subject heading headline', 'text'],
    ['message', 'tag'],
    ['customer customers contact contacts client clients buyer buyers order orders people', 'product'],
    ['product products', 'customer'],
    ['read see seen look view', 'write'],
    ['write create change edit written', 'read'],
    ['call ping hit post tell notify inform message send open', 'tag'],
    ['add put show list embed display keep store save record', 'remove'],
    ['remove drop delete rid', 'rename'],
    ['rename', 'remove'],
    ['field resource table setting skill notification tag entry knowledge value values', 'flow'],
    ['flow flows', 'field'],
    ['not never no', 'also'],
    ['only', 'both'],
  ].flatMap(([words = '', other = '']) => words.split(' ').map(word => [word, other] as const)),
)

/** Words that make less of what is said: without them it says something else. */
const NARROWING = words('unless except never without until till during while first twice again')

/** A word, or several that mean one thing. */
const TOKEN = new RegExp(
  `(?:\\b(?:message|text)(?: (?:that|which) (?:says|reads))? )?${QUOTE}|${URL_MARK}|\\b(?:free|plain|short|long) text\\b|\\b(?:whole|decimal) number\\b|\\bout of \\d+|\\d+ ?(?:-|–|to|and) ?\\d+\\b|\\p{L}[\\p{L}\\p{M}'-]*|\\d+(?:[.,]\\d+)*`,
  'gu',
)
/** Endings that the readers look at stay, so that only the meaning goes. */
const ENDING = /(?:'s|s'|ing|ed|ly|er|s)$/i

/**
 * @param made what a reader makes of a clause; undefined where it does not read it
 * @param isName whether a word is of what the clause speaks of and was there before
 * @returns the parts of a clause with a word in them that made no difference
 */
export async function unreadOf(
  clause: string,
  made: (clause: string) => Promise<string | undefined>,
  isName: (word: string, at: number) => boolean,
): Promise<string[]> {
  const lost: number[] = []
  for (const { 0: word, index } of clause.matchAll(TOKEN)) {
    const plain = word.toLowerCase()
    if (IDLE.has(plain) || plain.length < 2 || isName(plain, index)) continue
    const [before, after] = [clause.slice(0, index), clause.slice(index + word.length)]
    // "only if" is "if", which is proved by itself.
    // What is done first, before what is done then.
    if (plain === 'first' && before.trim() === '' && /\bthen\b/i.test(after)) continue
    if (plain === 'only' && /^ (?:if|when|where|unless)\b/i.test(after)) continue
    const isSame = async (other: string): Promise<boolean> => (await made(other)) === (await made(clause))
    const [none, another] = othersFor(word)
    if (
      ((await isSame(before + none + after)) && (another === undefined || (await isSame(before + another + after)))) ||
      (NARROWING.has(plain) && /^ [\p{L}\d]/u.test(after) && (await isSame(`${before}${after}`.replace(/\s+/g, ' ').trim())))
    )
      lost.push(index)
  }
  return partsOf(clause)
    .filter(({ from, to }) => lost.some(at => at >= from && at < to))
    .map(({ text }) => text)
}

/** A word without its ending: "notifies" is "notify". */
export const stemOf = (word: string): string =>
  word
    .replace(/['’]s$/, '')
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=[a-z]{3})(?:ing|ed|es|s|e)$/, '')
    .replace(/([bdgklmnprt])\1$/, '$1')

/** A word that there is not, and one of another meaning. */
function othersFor(word: string): string[] {
  if (/[«‹]/.test(word)) return [word.replace(/\d+/, '9999')]
  if (/^(?:out of )?\d/.test(word)) return ['7919']
  const none = `qwoxel${ENDING.exec(word)?.[0] ?? ''}`
  const other = OTHERS.get(word.toLowerCase().split(' ').at(-1) as string)
  return [/^\p{Lu}/u.test(word) ? none.replace('q', 'Q') : none, ...(other ? [other] : [])]
}

function* cut(clause: string): Generator<{ text: string; from: number; to: number }> {
  let from = 0
  for (const { index, 0: between } of clause.matchAll(/[,;:()]\s*|\s+(?:and|but|plus)\s+/g)) {
    yield { text: clause.slice(from, index).trim(), from, to: index }
    from = index + between.length
  }
  yield { text: clause.slice(from).trim(), from, to: clause.length }
}
const partsOf = (clause: string) => [...cut(clause)]
