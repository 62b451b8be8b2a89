// One person of a workspace, for its admins: their role, and the end of their membership.
import type { PageContext } from '../access/page-context.ts'
import { passwordAgain } from '../access/password-again.tsx'
import type { PageSession } from '../access/session-reader.ts'
import { Button, Form } from '../ingress/page/form.tsx'
import { page, see, seeSignIn } from '../ingress/page/page.ts'
import { PageRefusal } from '../ingress/page/refusal.ts'
import { begin, type Queryable } from '../postgres/sql.ts'
import { changeRole, type Member, memberOf, removeMember } from './people.ts'
import { callerOf, RoleField, roleOf, TEAM } from './team-page.tsx'

export const personPage = ({ sql }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: `${TEAM}/:user`,
    title: 'A person of the team',
    show: async ({ session, params }) => {
      const { name, email, role } = await found(sql, session, params)
      return {
        title: name ?? email,
        body: (
          <>
            <h1>{name ?? email}</h1>
            {name !== null && <p>{email}</p>}
            <Form name="role">
              <RoleField value={role} />
              {role === 'admin' && (
                <p class="hint">An admin who becomes an operator loses the invitations that they sent and that are still open.</p>
              )}
              <Button>Save the role</Button>
            </Form>
            <h2>Remove</h2>
            <p>
              Their sessions in this workspace, the AI clients they connected here and the invitations they sent that are still open end at
              once. Keys and all they wrote stay: those are the workspace’s.
            </p>
            <Form name="remove">
              <Button kind="danger">Remove {email}</Button>
            </Form>
            <p>
              <a href={TEAM}>Back to the team</a>
            </p>
          </>
        ),
      }
    },
    actions: {
      role: async visit => {
        const { session, params, sent, request } = visit
        const { id } = await found(sql, session, params)
        const role = roleOf(sent.text('role'))
        const again = await passwordAgain(sql, visit, ['role'])
        if (again) return again
        const member = await begin(sql, tx => changeRole(tx, callerOf(session, request), id, role))
        // An admin who becomes an operator by their own hand may not see the team any more.
        const isOut = id === session.user && member.role !== 'admin'
        return see(isOut ? '/dashboard' : TEAM, `${member.email} is ${member.role === 'admin' ? 'an admin' : 'an operator'} now.`)
      },
      remove: async visit => {
        const { session, params, request } = visit
        const { id } = await found(sql, session, params)
        const again = await passwordAgain(sql, visit, [])
        if (again) return again
        const { email } = await begin(sql, tx => removeMember(tx, callerOf(session, request), id))
        const told = `${email} is no longer in this workspace.`
        return id === session.user ? seeSignIn(told) : see(TEAM, told)
      },
    },
  })

async function found(sql: Queryable, { tenant }: PageSession, { user = '' }: Record<string, string>): Promise<Member> {
  const member = await memberOf(sql, tenant, user)
  if (!member)
    throw new PageRefusal(404, 'There is no such person here', 'They may have left the workspace, or were removed.', {
      href: TEAM,
      label: 'To the team',
    })
  return member
}
