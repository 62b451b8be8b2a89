// A word that is one letter away from one that the readers know: "resorce", "notfy".
import { distance } from '../../nearest.ts'

const words = (list: string): string[] => list.split(' ')
/** Words that the readers know, of which few are near to another word of the language. */
const KNOWN = words(
  'except unless customer customers resource resources assistant notify notifies notified notification whenever dashboard boolean required mandatory optional product products message messages conversation conversations cancelled canceled refunded delivered delivery dispatched shipped disputed payment payments tagged tagging rename renamed remove removed delete deleted should because otherwise instead warning reminder greeting knowledge description record recorded column columns between minutes status address secret setting settings received written different',
)
/** Those that are. */
const OTHERS: ReadonlySet<string> = new Set(
  words(
    'excerpt massage massages sitting sittings getting letting betting netting wetting vetting petting jetting chipped slipped flipped whipped skipped bagged lagged ragged nagged gagged wagged bagging lagging nagging depleted deplete warming earning warring remainder wherever tested',
  ),
)
/** Shorter words are near to too many. */
const CHARS_MIN = 5

/** Only within a word: "requires" is not "required" mistyped. */
const isMistyped = (word: string, known: string): boolean =>
  Math.abs(word.length - known.length) < 2 && word.slice(-2) === known.slice(-2) && distance(word, known) === 1

/** @param isName whether a word is one of the manifest that is changed */
export const corrected = (text: string, isName: (word: string) => boolean): string =>
  text.replaceAll(/(?<![\p{L}'_-])[\p{L}]+(?![\p{L}_-])/gu, word => {
    const plain = word.toLowerCase()
    if (plain.length < CHARS_MIN || KNOWN.includes(plain) || OTHERS.has(plain) || isName(plain)) return word
    const known = KNOWN.find(each => isMistyped(plain, each))
    if (known === undefined) return word
    return /^\p{Lu}/u.test(word) ? known.replace(/^./, first => first.toUpperCase()) : known
  })
