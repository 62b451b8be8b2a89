// The frame of the documentation: header, menu and the place for the content, in the document that all pages share.
import type { ComponentChildren, VNode } from 'preact'
import { Document, documentText } from '../ingress/page/document.tsx'

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
  body: VNode
  /** Links within the page, shown in the menu below the page's own. */
  outline?: VNode
  /** The reference can be filtered and tried out. */
  script?: 'reference.js'
}

/** A complete HTML document. */
export function frame(site: Site, page: Page): string {
  return documentText(
    <Document
      title={`${page.title} · Shopdesk API`}
      assets={`${site.root}/assets`}
      {...(page.script && { script: page.script })}
      header={
        <>
          <a class="brand" href={address(site, '')}>
            Shopdesk <span>API</span>
          </a>
          <nav class="bar" aria-label="Sections">
            {BAR.map(link => menuLink(site, page, link))}
          </nav>
        </>
      }
      menu={{ label: 'Documentation', content: site.menu.map(group => menuGroup(site, page, group)) }}
    >
      {page.body}
    </Document>,
  )
}

/** The address of a page: that of the reference is the root itself. */
export const address = (site: Site, slug: string): string => (slug === '' ? site.root || '/' : `${site.root}/${slug}`)

/** HTML that was made from Markdown, in which all else is escaped. */
export function Markup({ as: Element = 'div', html }: { as?: 'article' | 'div' | 'span'; html: string }): VNode {
  return <Element dangerouslySetInnerHTML={{ __html: html }} />
}

const BAR: MenuLink[] = [
  { slug: '', title: 'Reference' },
  { slug: 'start', title: 'Guides' },
  { slug: 'errors', title: 'Errors' },
  { slug: 'webhooks', title: 'Webhooks' },
  { slug: 'apps', title: 'Apps' },
]

const menuGroup = (site: Site, page: Page, group: MenuGroup): ComponentChildren => (
  <section key={group.title}>
    <h2>{group.title}</h2>
    <ul>
      {group.links.map(link => (
        <li key={link.slug}>
          {menuLink(site, page, link)}
          {link.slug === page.slug && page.outline}
        </li>
      ))}
    </ul>
  </section>
)

const menuLink = (site: Site, page: Page, link: MenuLink): VNode => (
  <a key={link.slug} href={address(site, link.slug)} {...(link.slug === page.slug && { 'aria-current': 'page' as const })}>
    {link.title}
  </a>
)
