// One connected client, for admins: what is known of it, and its end.
import type { PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { Ending } from '../ingress/page/form.tsx'
import { page, see } from '../ingress/page/page.ts'
import { Said, Time, visible } from '../ingress/page/parts.tsx'
import { PageRefusal } from '../ingress/page/refusal.ts'
import type { Queryable } from '../postgres/sql.ts'
import { begin } from '../postgres/sql.ts'
import { memberOf } from '../tenants/people.ts'
import { callerOf } from '../tenants/team-page.tsx'
import { grantOf, type ListedGrant, revokeGrant } from './grants.ts'
import { INTEGRATIONS } from './integrations-page.tsx'

export const clientPage = ({ sql }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: `${INTEGRATIONS}/clients/:grant`,
    title: 'Disconnect a client',
    show: async ({ session, params }) => {
      const grant = await found(sql, session.tenant, params)
      const person = await memberOf(sql, session.tenant, grant.user)
      return {
        body: (
          <>
            <h1>
              Disconnect <Said>{grant.client}</Said>?
            </h1>
            <p>It is refused from its next request on. The person can connect it again, and is asked again then.</p>
            <dl class="facts">
              <dt>Where it is</dt>
              <dd>{grant.hosts.join(', ') || 'not known'}</dd>
              <dt>Acts for</dt>
              <dd>{person?.email ?? 'a person who has left'}</dd>
              <dt>Scopes</dt>
              <dd>{grant.scopes.join(', ')}</dd>
              <dt>Connected</dt>
              <dd>
                <Time at={new Date(grant.created_at)} />
              </dd>
              <dt>Last used</dt>
              <dd>
                <Time at={new Date(grant.last_used_at)} />
              </dd>
            </dl>
            <Ending keep={INTEGRATIONS}>Disconnect {visible(grant.client)}</Ending>
          </>
        ),
      }
    },
    actions: {
      '': async ({ session, params, request }) => {
        const { id, client } = await found(sql, session.tenant, params)
        const ended = await begin(sql, tx => revokeGrant(tx, callerOf(session, request), id))
        return see(INTEGRATIONS, `“${visible(client)}” ${ended ? 'is disconnected' : 'was disconnected before'}.`)
      },
    },
  })

async function found(sql: Queryable, tenant: string, { grant = '' }: Record<string, string>): Promise<ListedGrant> {
  const row = await grantOf(sql, tenant, grant)
  if (!row)
    throw new PageRefusal(404, 'There is no such client here', 'It may have been disconnected already.', {
      href: INTEGRATIONS,
      label: 'To the integrations',
    })
  return row
}
