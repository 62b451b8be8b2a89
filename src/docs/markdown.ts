// Markdown to HTML: headings get ids, tables and code may scroll, and HTML inside the Markdown is shown as text.
import { Marked, type MarkedExtension, type Token } from 'marked'
import { escapeHtml } from '../ingress/page/escape.ts'

export interface Article {
  /** The text of the first heading. */
  title: string
  /** HTML. */
  body: string
  /** The second-level headings, in order. */
  outline: { id: string; text: string }[]
}

/** Renders a whole page. `link` says where an address written in the Markdown leads. */
export function renderArticle(source: string, link: (href: string) => string): Article {
  const article: Article = { title: '', body: '', outline: [] }
  const used = new Set<string>()
  const marked = new Marked(base, {
    renderer: {
      heading({ tokens, depth }) {
        const text = plain(tokens)
        const id = unused(used, slug(text))
        if (depth === 1) article.title ||= text
        if (depth === 2) article.outline.push({ id, text })
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return anchor(link(href), this.parser.parseInline(tokens))
      },
    },
  })
  article.body = marked.parse(source, { async: false })
  return article
}

/** The HTML of a description: no ids, so that many fit on one page. */
export const renderProse = (source: string): string => descriptions.parse(source, { async: false })

/** The HTML of one line, such as the description of a response. */
export const renderLine = (source: string): string => descriptions.parseInline(source, { async: false })

const base: MarkedExtension = {
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    code({ text, lang }) {
      return `<div class="code"><pre tabindex="0"><code data-language="${escapeHtml(lang ?? '')}">${escapeHtml(text)}</code></pre></div>\n`
    },
    table(token) {
      const row = (cells: typeof token.header, tag: string) =>
        `<tr>${cells.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map(cells => row(cells, 'td')).join('\n')
      return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
    },
  },
}

const descriptions = new Marked(base, {
  renderer: {
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`
    },
    link({ href, tokens }) {
      return anchor(href, this.parser.parseInline(tokens))
    },
  },
})

// Only addresses that cannot run code: `javascript:` and its like stay plain text.
function anchor(href: string, inner: string): string {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme && !['http', 'https', 'mailto'].includes(scheme)) return inner
  return `<a href="${escapeHtml(href)}">${inner}</a>`
}

function plain(tokens: Token[]): string {
  return tokens.map(token => ('tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '')).join('')
}

// Slugs are made as code hosts make them, so that a link works there and here.
function slug(text: string): string {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
  return kept.trim().replace(/\s/g, '-') || 'section'
}

function unused(used: Set<string>, wanted: string): string {
  let id = wanted
  for (let n = 1; used.has(id); n++) id = `${wanted}-${n}`
  used.add(id)
  return id
}
