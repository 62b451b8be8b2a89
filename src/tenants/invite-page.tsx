// The page behind the link of an invitation. Opening it uses nothing up; its form does, once.
import { joinAnew, joinSignedIn, joinWithPassword } from '../access/joining.ts'
import { keepSession, type PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { deviceOf } from '../access/sessions.ts'
import { PASSWORD_HINT } from '../access/sign-in-pages.tsx'
import { Field } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { page, type Shown, see } from '../ingress/page/page.ts'
import { titled } from '../ingress/page/titled.tsx'
import { INVITATION_DAYS } from '../limits/tenants.ts'
import { accountOf } from './accounts.ts'
import { type Invitation, invitationOf } from './invitations.ts'

export const invitePage = ({ sql, baseUrl }: PageContext) =>
  page<PageSession>({
    who: 'anyone',
    path: '/invite/:token',
    title: 'Invitation',
    secretAddress: true,
    show: async ({ session, params }) => {
      const invitation = await invitationOf(sql, params['token'] as string)
      if (!invitation) return deadLink
      if (!session) return (await accountOf(sql, invitation.address)) ? withPassword(invitation) : anew(invitation)
      return session.email.toLowerCase() === invitation.address ? signedIn(invitation) : somebodyElse(invitation, session)
    },
    actions: {
      join: async ({ session, params }) => {
        if (!session) return see(`/invite/${encodeURIComponent(params['token'] as string)}`)
        await joinSignedIn(sql, params['token'] as string, session)
        return see('/dashboard', 'You belong to this workspace now.')
      },
      sign_in: async ({ params, sent, request, reply }) => {
        const token = params['token'] as string
        const invitation = await invitationOf(sql, token)
        if (!invitation) return deadLink
        keepSession(reply, baseUrl, await joinWithPassword(sql, token, invitation, sent.text('password'), deviceOf(request)))
        return see('/dashboard')
      },
      make: async ({ params, sent, request, reply }) => {
        const token = params['token'] as string
        const invitation = await invitationOf(sql, token)
        if (!invitation) return deadLink
        const asked = { name: sent.text('name'), password: sent.text('password') }
        keepSession(reply, baseUrl, await joinAnew(sql, token, invitation, asked, deviceOf(request)))
        return see('/dashboard')
      },
    },
  })

const Invited = ({ workspace, address, role }: Invitation) => (
  <>
    <h1>You are invited to {workspace}</h1>
    <p>
      As {role === 'admin' ? 'an admin' : 'an operator'}, with the address <strong>{address}</strong>.
    </p>
  </>
)

const signedIn = (invitation: Invitation): Shown => ({
  body: (
    <>
      <Invited {...invitation} />
      <Form name="join">
        <Button>Join {invitation.workspace}</Button>
      </Form>
    </>
  ),
})

const withPassword = (invitation: Invitation): Shown => ({
  body: (
    <>
      <Invited {...invitation} />
      <p>This address has an account: sign in with it to join.</p>
      <Form name="sign_in">
        <input type="hidden" name="email" autocomplete="username" value={invitation.address} />
        <Field name="password" label="Password" type="password" autocomplete="current-password" required />
        <Button>Sign in and join</Button>
      </Form>
      <p>
        <a href="/forgot">Forgot your password?</a>
      </p>
    </>
  ),
})

const anew = (invitation: Invitation): Shown => ({
  body: (
    <>
      <Invited {...invitation} />
      <Form name="make">
        <input type="hidden" name="email" autocomplete="username" value={invitation.address} />
        <Field name="name" label="Your name" autocomplete="name" maxLength={100} required />
        <Field name="password" label="Password" type="password" autocomplete="new-password" hint={PASSWORD_HINT} required />
        <Button>Make the account and join</Button>
      </Form>
    </>
  ),
})

const somebodyElse = (invitation: Invitation, { email }: PageSession): Shown => ({
  body: (
    <>
      <Invited {...invitation} />
      <p>
        You are signed in as {email}. Sign out, and open the link again; or have <strong>{email}</strong> invited.
      </p>
      <Form action="/sign-out">
        <Button>Sign out</Button>
      </Form>
    </>
  ),
})

const deadLink = titled(
  'This invitation no longer works',
  <>
    <p>
      It works for {INVITATION_DAYS} days, and once. It may have been used or withdrawn, or a newer one may have come: open the link of the
      newest mail, or ask an admin of the workspace for another.
    </p>
    <p>
      <a href="/sign-in">To sign in</a>
    </p>
  </>,
  { status: 404 },
)
