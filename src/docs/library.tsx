// The index of everything served: every file below docs/, read and rendered once. A path that is not in it does not exist.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Encoded, encodings } from '../ingress/encoded.ts'
import { address, frame, Markup, type MenuGroup, type Site } from './frame.tsx'
import { type Article, renderArticle } from './markdown.ts'
import { tarball } from './tarball.ts'

export interface Asset {
  type: string
  /** For a request's Accept-Encoding. */
  encoded: (acceptEncoding: string | undefined) => Encoded
}

export interface Library {
  site: Site
  /** By path below the documentation's root, e.g. `errors/conflict` or `webhooks/vectors.json`. */
  assets: Map<string, Asset>
}

/** Reads and renders the documentation. `{base_url}` and `{docs_url}` in the text become these addresses (no trailing slash), `{origin}` the first one's origin. */
export function openLibrary(baseUrl: string, docsUrl: string): Library {
  const root = new URL(docsUrl).pathname.replace(/\/+$/, '')
  const { origin } = new URL(baseUrl)
  const fill = (text: string) => text.replaceAll('{base_url}', baseUrl).replaceAll('{docs_url}', docsUrl).replaceAll('{origin}', origin)
  const render = (file: string) => renderArticle(fill(read(file)), href => target(root, file, href))
  const articles = new Map(markdownFiles().map(({ slug, file }) => [slug, render(file)]))
  const site = { root, menu: menu(articles) }
  const assets = new Map<string, Asset>()
  for (const [slug, article] of articles) assets.set(slug, page(articlePage(site, slug, article)))
  for (const file of filesBelow('docs', '.json')) assets.set(file.slice('docs/'.length), asset(JSON_TYPE, read(file)))
  const client = encodings(tarball(clientFiles()))(undefined)
  assets.set('client.tgz', { type: 'application/gzip', encoded: () => client })
  return { site, assets }
}

/** A page, from a complete document. */
export const page = (document: string): Asset => asset('text/html; charset=utf-8', document)

const asset = (type: string, text: string): Asset => ({ type, encoded: encodings(text) })

const JSON_TYPE = 'application/json; charset=utf-8'

const home = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(home, file), 'utf8')

/** The files that `npm install {docs_url}/client.tgz` installs. */
function clientFiles(): Map<string, string> {
  const { files } = JSON.parse(read('docs/client/package.json')) as { files: string[] }
  return new Map(['package.json', ...files].map(file => [file, read(`docs/client/${file}`)]))
}

// The order of the menu; pages not named here follow, by their path.
const ORDER = [
  'start',
  'api/authentication',
  'people',
  'api/conventions',
  'api/orders',
  'payments',
  'api/contacts',
  'api/crm',
  'api/conversations',
  'api/attachments',
  'channels',
  'channels/telegram',
  'channels/whatsapp',
  'channels/messenger',
  'channels/instagram',
  'channels/web-chat',
  'channels/generic',
  'api/pagination',
  'api/idempotency',
  'api/bulk',
  'api/imports',
  'api/exports',
  'api/events',
  'api/conditional-requests',
  'api/rate-limits',
  'api/client',
  'webhooks',
  'agent',
  'agent/connecting',
  'agent/tools',
  'agent/oauth',
  'agent/troubleshooting',
  'apps',
  'apps/first-app',
  'apps/manifest',
  'apps/install',
  'apps/records',
  'apps/skills',
  'apps/flows',
  'apps/builder',
  'apps/errors',
]

function markdownFiles(): { slug: string; file: string }[] {
  const pages = filesBelow('docs', '.md').map(file => ({ slug: pageSlug(file), file }))
  return [...pages, { slug: 'changelog', file: 'CHANGELOG.md' }]
}

// decisions/ is for developers of the service, not for its callers; client/ is served as a package.
function filesBelow(folder: string, suffix: string): string[] {
  return readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
    .map(file => posix.join(folder, file))
    .filter(file => file.endsWith(suffix) && !/^docs\/(decisions|client)\//.test(file))
    .sort()
}

function pageSlug(file: string): string {
  return file === 'CHANGELOG.md' ? 'changelog' : file.replace(/^docs\//, '').replace(/(\/index)?\.md$/, '')
}

/** Links between Markdown files are written as paths from file to file, so that they work in a checkout too; `/docs` is the reference. */
function target(root: string, file: string, href: string): string {
  if (/^([a-z][a-z0-9+.-]*:|#)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const slug = path.startsWith('/docs') ? path.slice('/docs'.length).replace(/^\//, '') : pageSlug(posix.join(posix.dirname(file), path))
  return address({ root, menu: [] }, slug) + (fragment === undefined ? '' : `#${fragment}`)
}

function menu(articles: Map<string, Article>): MenuGroup[] {
  const link = (slug: string) => ({ slug, title: articles.get(slug)?.title ?? slug })
  const place = (slug: string) => (ORDER.indexOf(slug) + 1 || ORDER.length + 1) * 2
  const slugs = [...articles.keys()].sort((a, b) => place(a) - place(b) || a.localeCompare(b))
  const errors = slugs.filter(slug => slug.startsWith('errors/'))
  const guides = slugs.filter(slug => !slug.startsWith('errors') && slug !== 'changelog')
  return [
    { title: 'API', links: [{ slug: '', title: 'Reference' }, link('changelog')] },
    { title: 'Guides', links: guides.map(link) },
    { title: 'Errors', links: [link('errors'), ...errors.map(slug => ({ slug, title: slug.slice('errors/'.length) }))] },
  ]
}

function articlePage(site: Site, slug: string, article: Article): string {
  const outline = (
    <ul>
      {article.outline.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  )
  return frame(site, { slug, title: article.title, body: <Markup as="article" html={article.body} />, outline })
}
