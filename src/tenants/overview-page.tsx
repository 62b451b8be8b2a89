// What members see first.
import type { PageSession } from '../access/session-reader.ts'
import { page } from '../ingress/page/page.ts'
import { TEAM } from './team-page.tsx'

export const overviewPage = () =>
  page<PageSession>({
    who: 'operator',
    path: '/dashboard',
    title: 'Overview',
    show: ({ session: { workspace, person, role } }) => ({
      body: (
        <>
          <h1>{workspace}</h1>
          <p>
            Signed in as {person}, {role === 'admin' ? 'an admin' : 'an operator'} of this workspace.
          </p>
          <ul>
            {role === 'admin' && (
              <li>
                <a href={TEAM}>Invite people, and set the workspace’s name and time zone</a>
              </li>
            )}
            <li>
              <a href="/dashboard/account">Your name, password and sessions</a>
            </li>
            <li>
              <a href="/docs">The API and its guides</a>
            </li>
          </ul>
        </>
      ),
    }),
  })
