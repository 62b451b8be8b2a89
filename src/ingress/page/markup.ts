// A piece of HTML that is put together as text, for what a page shows hundreds of times: elements of their own take ten times as long.
import { escapeHtml } from './escape.ts'

/** HTML in which every text is escaped already. */
export interface Markup {
  html: string
}

/** HTML as it is written, with values filled in: texts are escaped, in attributes too, as long as those are in quotes. */
export const markup = (written: TemplateStringsArray, ...values: (string | Markup)[]): Markup => {
  let html = written[0] as string
  for (let at = 0; at < values.length; at++) html += htmlOf(values[at] as string | Markup) + written[at + 1]
  return { html }
}

const htmlOf = (value: string | Markup): string => (typeof value === 'string' ? escapeHtml(value) : value.html)

/** A moment, in the reader's words by a script, and in UTC without one. @param never what stands where there is none */
export function time(at: Date | null, never = '–'): string | Markup {
  if (!at) return never
  const text = at.toISOString()
  return { html: `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>` }
}
