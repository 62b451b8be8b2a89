// The frame of every page: head, header, menu and the place for the content.
import { type Html, html, raw, toText } from './html.ts'

export interface Site {
  /** The path of the documentation's address, without a trailing slash; empty where it has a host of its own. */
  root: string
  menu: MenuGroup[]
}

export interface MenuGroup {
  title: string
  links: MenuLink[]
}

interface MenuLink {
  /** The page's path below the root; empty for the reference. */
  slug: string
  title: string
}

export interface Page {
  /** As in MenuLink; undefined for a page that is in no menu. */
  slug: string | undefined
  title: string
  body: Html
  /** Links within the page, shown in the menu below the page's own. */
  outline?: Html
}

/** A complete HTML document. */
export function frame(site: Site, page: Page): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Shopdesk API</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${site.root}/assets/docs.css">
<script src="${site.root}/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${address(site, '')}">Shopdesk <span>API</span></a>
<nav class="bar" aria-label="Sections">${BAR.map(link => menuLink(site, page, link))}</nav>
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
</header>
<div class="layout">
<nav id="menu" popover aria-label="Documentation">
${site.menu.map(group => menuGroup(site, page, group))}
</nav>
<main id="content">
${page.body}
</main>
</div>
</body>
</html>
`
  return toText(document)
}

/** The address of a page: that of the reference is the root itself. */
export const address = (site: Site, slug: string): string => (slug === '' ? site.root || '/' : `${site.root}/${slug}`)

const BAR: MenuLink[] = [
  { slug: '', title: 'Reference' },
  { slug: 'start', title: 'Guides' },
  { slug: 'errors', title: 'Errors' },
  { slug: 'webhooks', title: 'Webhooks' },
]

function menuGroup(site: Site, page: Page, group: MenuGroup): Html {
  return html`<section><h2>${group.title}</h2><ul>${group.links.map(
    link => html`<li>${menuLink(site, page, link)}${link.slug === page.slug && page.outline}</li>\n`,
  )}</ul></section>`
}

function menuLink(site: Site, page: Page, link: MenuLink): Html {
  return html`<a href="${address(site, link.slug)}"${link.slug === page.slug && raw(' aria-current="page"')}>${link.title}</a>`
}

// Inline, because a page loads nothing but its own stylesheet and script.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0f766e"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>',
)}`
