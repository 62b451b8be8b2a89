// HTML by template. Interpolated values are escaped unless they are HTML already, so hostile text cannot become markup by oversight.

const trusted = Symbol('html')
export type Html = { readonly [trusted]: string }
type Part = Html | string | number | undefined | false | readonly Part[]

/** A template of HTML: text is escaped, HTML passes, lists are joined, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return raw(strings.map((text, index) => (index === 0 ? text : render(parts[index - 1]) + text)).join(''))
}

/** Takes text for HTML as it stands: only for text that was escaped where it was made. */
export const raw = (text: string): Html => ({ [trusted]: text })

export const toText = (part: Html): string => part[trusted]

/** For text and for attributes in either kind of quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] as string)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return trusted in part ? part[trusted] : part.map(render).join('')
}
