// The pages of the service, and the menu that leads to them: imported when one is first asked for.
import { accountPage } from './access/account-page.tsx'
import type { PageContext } from './access/page-context.ts'
import type { PageSession } from './access/session-reader.ts'
import { signInPages } from './access/sign-in-pages.tsx'
import type { MenuGroup, PageRoute } from './ingress/page/page.ts'
import { type AuthorizeContext, authorizePage } from './oauth/authorize-page.tsx'
import { auditPage } from './tenants/audit-page.tsx'
import { invitePage } from './tenants/invite-page.tsx'
import { overviewPage } from './tenants/overview-page.tsx'
import { personPage } from './tenants/person-page.tsx'
import { teamPage } from './tenants/team-page.tsx'

export function openDashboard(context: PageContext, oauth: AuthorizeContext): { pages: PageRoute<PageSession>[]; menu: MenuGroup[] } {
  const [overview, account, team, audit] = [overviewPage(), accountPage(context), teamPage(context), auditPage(context)]
  return {
    pages: [...signInPages(context), invitePage(context), overview, account, team, personPage(context), audit, authorizePage(oauth)],
    menu: [
      { title: 'Shop', links: [overview] },
      { title: 'Settings', links: [team, audit] },
      { title: 'You', links: [account] },
    ].map(({ title, links }) => ({
      title,
      links: links.map(({ path, title, who }) => ({ path, title, who: who === 'anyone' ? 'operator' : who })),
    })),
  }
}
