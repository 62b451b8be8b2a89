// What members see first: how the shop does, and for admins what is still to be set up.
import type { PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { page } from '../ingress/page/page.ts'
import { StillToDo } from './setup.tsx'
import { setupOf } from './setup-store.ts'

export const overviewPage = ({ sql }: PageContext) =>
  page<PageSession>({
    who: 'operator',
    path: '/dashboard',
    title: 'Overview',
    show: async ({ session: { tenant, workspace, person, role } }) => {
      const setup = role === 'admin' ? await setupOf(sql, tenant) : undefined
      return {
        body: (
          <>
            <h1>{workspace}</h1>
            <p class="hint">
              Signed in as {person}, {role === 'admin' ? 'an admin' : 'an operator'} of this workspace.
            </p>
            {setup && <StillToDo setup={setup} />}
            <h2>Elsewhere</h2>
            <ul>
              <li>
                <a href="/dashboard/account">Your name, password, sessions and AI clients</a>
              </li>
              <li>
                <a href="/docs">The API and its guides</a>
              </li>
            </ul>
          </>
        ),
      }
    },
  })
