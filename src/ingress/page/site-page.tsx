// A page of the service itself: who is signed in and where, the menu of what is open to them, and the page's content.
import type { VNode } from 'preact'
import type { Keyring } from '../../secrets.ts'
import { giveBrowser } from './browser.ts'
import { Document, documentBytes } from './document.tsx'
import { Brand } from './error-page.tsx'
import { Button, Form, FormPage } from './form.tsx'
import { formToken } from './form-token.ts'
import { takeNotice } from './notice.ts'
import { type MenuGroup, mayVisit, type Shown, type SignedIn, type Visit } from './page.ts'
import { Notice } from './parts.tsx'

interface Frame {
  baseUrl: string
  keyring: Keyring
}

/** @returns the document */
export function sitePage(site: Frame, groups: MenuGroup[], page: { path: string; title: string }, visit: Visit, shown: Shown): Buffer {
  const { session, request, reply, sent } = visit
  const notice = takeNotice(site, visit)
  const token = (): string => formToken(site.keyring, session?.id ?? giveBrowser(request, reply, site.baseUrl))
  return documentBytes(
    <FormPage.Provider value={{ token, sent, workspace: session?.tenant }}>
      <Document
        title={`${shown.title ?? page.title} · Shopdesk`}
        assets="/assets"
        {...(session && { csrf: token(), menu: { label: 'Dashboard', content: <Menu groups={groups} here={page.path} {...session} /> } })}
        header={
          <>
            <Brand />
            {session && <Account {...session} />}
          </>
        }
      >
        {notice !== undefined && <Notice>{notice}</Notice>}
        {shown.body}
      </Document>
    </FormPage.Provider>,
  )
}

function Account({ person, workspace }: SignedIn): VNode {
  return (
    <div class="account">
      <span class="workspace">{workspace}</span>
      <a href="/dashboard/account">{person}</a>
      <Form action="/sign-out">
        <Button kind="plain">Sign out</Button>
      </Form>
    </div>
  )
}

function Menu({ groups, here, role }: { groups: MenuGroup[]; here: string; role: SignedIn['role'] }): VNode[] {
  return groups
    .map(({ title, links }) => ({ title, links: links.filter(link => mayVisit(role, link.who)) }))
    .filter(({ links }) => links.length > 0)
    .map(({ title, links }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul>
          {links.map(link => (
            <li key={link.path}>
              <a href={link.path} {...(link.path === here && { 'aria-current': 'page' as const })}>
                {link.title}
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))
}
