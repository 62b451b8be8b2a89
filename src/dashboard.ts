// The pages of the service, and the menu that leads to them: imported when one is first asked for.
import { accountPage } from './access/account-page.tsx'
import { DEVELOPER, developerPage } from './access/developer-page.tsx'
import { keyPage } from './access/key-page.tsx'
import type { PageContext } from './access/page-context.ts'
import type { PageSession } from './access/session-reader.ts'
import { signInPages } from './access/sign-in-pages.tsx'
import type { MenuGroup, PageRoute } from './ingress/page/page.ts'
import { type AuthorizeContext, authorizePage } from './oauth/authorize-page.tsx'
import { clientPage } from './oauth/client-page.tsx'
import { INTEGRATIONS, integrationsPage } from './oauth/integrations-page.tsx'
import { auditPage } from './tenants/audit-page.tsx'
import { invitePage } from './tenants/invite-page.tsx'
import { overviewPage } from './tenants/overview-page.tsx'
import { personPage } from './tenants/person-page.tsx'
import { teamPage } from './tenants/team-page.tsx'

export function openDashboard(context: PageContext, oauth: AuthorizeContext): { pages: PageRoute<PageSession>[]; menu: MenuGroup[] } {
  const [overview, account] = [overviewPage(context), accountPage(context)]
  const [team, developer, integrations, audit] = [teamPage(context), developerPage(context), integrationsPage(context), auditPage(context)]
  return {
    pages: [
      ...signInPages(context),
      invitePage(context),
      overview,
      account,
      team,
      personPage(context),
      developer,
      keyPage(context, 'rest', DEVELOPER),
      integrations,
      keyPage(context, 'mcp', INTEGRATIONS),
      clientPage(context),
      audit,
      authorizePage(oauth),
    ],
    menu: [
      { title: 'Shop', links: [overview] },
      { title: 'Settings', links: [team, developer, integrations, audit] },
      { title: 'You', links: [account] },
    ].map(({ title, links }) => ({
      title,
      links: links.map(({ path, title, who }) => ({ path, title, who: who === 'anyone' ? 'operator' : who })),
    })),
  }
}
