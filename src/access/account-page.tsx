// What a person sees and changes about their own account: name, e-mail, password, sessions, workspaces.
import { Field } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { page, type Shown, see, seeSignIn } from '../ingress/page/page.ts'
import { Time } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import { listGrants, revokeGrant } from '../oauth/grants.ts'
import { begin } from '../postgres/sql.ts'
import { removeMember, workspacesOf } from '../tenants/people.ts'
import { changePassword, changeProfile } from './account.ts'
import { deviceName } from './device.ts'
import { OwnClients } from './own-clients.tsx'
import { dropSession, type PageContext } from './page-context.ts'
import { passwordAgain } from './password-again.tsx'
import type { PageSession } from './session-reader.ts'
import { deviceOf, endSession, endSessions, sessionsOf, switchWorkspace } from './sessions.ts'
import { giveAgain } from './sign-in.ts'
import { PASSWORD_HINT } from './sign-in-pages.tsx'

const HERE = '/dashboard/account'

export const accountPage = ({ sql, baseUrl }: PageContext) =>
  page<PageSession>({
    who: 'operator',
    path: HERE,
    title: 'Your account',
    show: ({ session }) => shown({ sql, baseUrl, session }),
    actions: {
      profile: async visit => {
        const { session, sent } = visit
        const asked = { name: sent.text('name'), email: sent.text('email') }
        const again = asked.email.trim() === session.email ? undefined : await passwordAgain(sql, visit, ['name', 'email'])
        if (again) return again
        await changeProfile(sql, session, asked)
        return see(HERE, 'Your name and e-mail are saved.')
      },
      password: async ({ session, sent, request }) => {
        await giveAgain(sql, session, sent.text('password'), deviceOf(request))
        await changePassword(sql, session, sent.text('new_password'))
        return see(HERE, 'Your password is changed. Your other sessions have ended.')
      },
      end: async ({ session, sent, reply }) => {
        const id = sent.text('session')
        const ended = await begin(sql, tx => endSession(tx, session.user, id))
        if (id !== session.id) return see(HERE, ended ? 'That session has ended.' : 'That session had ended already.')
        dropSession(reply, baseUrl)
        return seeSignIn()
      },
      others: async ({ session }) => {
        const ended = await begin(sql, tx => endSessions(tx, session.user, { type: 'user', id: session.user }, session.id))
        return see(HERE, ended === 0 ? 'There were no others.' : `Ended: ${ended} other session${ended === 1 ? '' : 's'}.`)
      },
      disconnect: async ({ session, sent, request }) => {
        const { tenant, user } = session
        const caller = { tenant, actor: { type: 'user', id: user }, traceId: request.traceId } as const
        const ended = await begin(sql, tx => revokeGrant(tx, caller, sent.text('grant'), user))
        return see(HERE, ended ? 'The client is disconnected.' : 'That client was disconnected before.')
      },
      switch: async ({ session, sent }) => {
        await switchWorkspace(sql, session, sent.text('workspace'))
        return see('/dashboard')
      },
      leave: async visit => {
        const { session, sent, reply } = visit
        const again = await passwordAgain(sql, visit, ['workspace'])
        if (again) return again
        const tenant = sent.text('workspace')
        await begin(sql, tx => removeMember(tx, { tenant, actor: { type: 'user', id: session.user } }, session.user))
        if (tenant !== session.tenant) return see(HERE, 'You have left that workspace.')
        dropSession(reply, baseUrl)
        return seeSignIn('You have left the workspace, and your sessions there have ended.')
      },
    },
  })

async function shown({ sql, baseUrl, session }: Pick<PageContext, 'sql' | 'baseUrl'> & { session: PageSession }): Promise<Shown> {
  const [sessions, workspaces, grants] = await Promise.all([
    sessionsOf(sql, session.user),
    workspacesOf(sql, session.user),
    listGrants(sql, session.tenant, session.user),
  ])
  return {
    body: (
      <>
        <h1>Your account</h1>
        <Form name="profile">
          <Field name="name" label="Name" value={session.name ?? ''} autocomplete="name" maxLength={100} />
          <Field name="email" label="E-mail" type="email" value={session.email} autocomplete="email" hint="You sign in with it." required />
          <Button>Save</Button>
        </Form>

        <h2>Password</h2>
        <Form name="password">
          <Field name="password" label="Current password" type="password" autocomplete="current-password" required />
          <Field name="new_password" label="New password" type="password" autocomplete="new-password" hint={PASSWORD_HINT} required />
          <Button>Change the password</Button>
        </Form>

        <h2>Sessions</h2>
        <Table
          caption="Where you are signed in, the last used first"
          columns={[
            {
              title: 'Browser',
              of: row => (row.id === session.id ? `${deviceName(row.user_agent)} (this one)` : deviceName(row.user_agent)),
            },
            { title: 'Address', of: row => row.address },
            { title: 'Last used', of: row => <Time at={row.last_used_at} /> },
            {
              title: 'End',
              isAction: true,
              of: row => (
                <Form name="end">
                  <input type="hidden" name="session" value={row.id} />
                  <Button kind="plain" label={`End the session of ${deviceName(row.user_agent)} at ${row.address}`}>
                    End
                  </Button>
                </Form>
              ),
            },
          ]}
          rows={sessions}
          empty={<p>There is none.</p>}
        />
        {sessions.length > 1 && (
          <Form name="others">
            <Button>End all others</Button>
          </Form>
        )}

        <h2>AI clients</h2>
        <OwnClients grants={grants} address={`${baseUrl}/api/mcp`} />

        <h2>Workspaces</h2>
        <Table
          caption="Where you work"
          columns={[
            { title: 'Workspace', of: row => row.name },
            { title: 'Role', of: row => row.role },
            {
              title: 'Work there',
              isAction: true,
              of: row =>
                row.id === session.tenant ? (
                  'You are here'
                ) : (
                  <Form name="switch">
                    <input type="hidden" name="workspace" value={row.id} />
                    <Button kind="plain" label={`Work here, in ${row.name}`}>
                      Work here
                    </Button>
                  </Form>
                ),
            },
            {
              title: 'Leave',
              isAction: true,
              of: row => (
                <Form name="leave">
                  <input type="hidden" name="workspace" value={row.id} />
                  <Button kind="danger" label={`Leave ${row.name}`}>
                    Leave
                  </Button>
                </Form>
              ),
            },
          ]}
          rows={workspaces}
          empty={<p>You work in none.</p>}
        />
      </>
    ),
  }
}
