// Names of tools as words: models and those who try the server write one name in many ways.
import { nearest } from '../../nearest.ts'

/** Longer names than any tool's are cut. */
const NAME_CHARS = 200

/** `createOrder`, `create-orders`, `Orders::create2` and `ORDER CREATE` hold the same words. @returns them in lower case and in the singular */
export const wordsOf = (name: string): string[] =>
  name
    .slice(0, NAME_CHARS)
    // Full-width letters and accents are other spellings of the plain ones.
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .map(word => word.replace(/(?<=..)s$/, ''))

/** @returns the tool that was probably meant: whose name and title share the most words with the name, or that differs by few letters; undefined where none is near */
export function nearestTool(name: string, tools: readonly { name: string; title: string }[]): string | undefined {
  const words = wordsOf(name).filter(word => !SAYS_LITTLE.has(word))
  const shared = tools.map(tool => wordsOf(`${tool.name} ${tool.title}`).filter(word => words.includes(word)).length)
  const most = Math.max(0, ...shared)
  const spelled = wordsOf(name).join('_')
  const names = tools.map(tool => tool.name)
  if (most === 0) return nearest(spelled, names)
  const alike = names.filter((_name, index) => shared[index] === most)
  return nearest(spelled, alike) ?? alike[0]
}

/** Many tools have these in their names. */
const SAYS_LITTLE = new Set(['get', 'to', 'for', 'update', 'ai', 'list', 'of', 'find', 'read', 'change', 'a', 'an', 'the', 'or'])
