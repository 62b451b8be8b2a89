// A text with its addresses as links. Nothing else of it means anything.
import { type Child, el } from './dom.ts'

const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}…]/g

export function linked(text: string): Child[] {
  const parts: Child[] = []
  let from = 0
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    parts.push(text.slice(from, index), el('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, href))
    from = index + href.length
  }
  return [...parts, text.slice(from)]
}
