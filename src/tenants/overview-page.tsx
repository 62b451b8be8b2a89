// What members see first: how the shop does, and what is still to be set up.
import type { PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { figures } from '../analytics/figures.ts'
import { page } from '../ingress/page/page.ts'
import { FiguresView, WeekView } from './figures-view.tsx'
import { StillToDo } from './setup.tsx'
import { setupOf } from './setup-store.ts'

export const overviewPage = ({ sql }: PageContext) =>
  page<PageSession>({
    who: 'operator',
    path: '/dashboard',
    title: 'Overview',
    show: async ({ session: { tenant, workspace, person, role } }) => {
      const [today, week, setup] = await Promise.all([
        figures(sql, { tenant }, 'today'),
        figures(sql, { tenant }, '7d'),
        setupOf(sql, tenant),
      ])
      return {
        body: (
          <>
            <h1>{workspace}</h1>
            <p class="hint">
              Signed in as {person}, {role === 'admin' ? 'an admin' : 'an operator'} of this workspace.
            </p>
            <FiguresView today={today} week={week} />
            <StillToDo setup={setup} isAdmin={role === 'admin'} />
            <WeekView week={week} />
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
