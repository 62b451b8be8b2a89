// The pages on which people sign in and out, and set a new password.
import { Field } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { page, type Shown, see, seeSignIn } from '../ingress/page/page.ts'
import { titled } from '../ingress/page/titled.tsx'
import { PASSWORD_CHARS_MIN, RESET_MINUTES } from '../limits/access.ts'
import { begin } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { emailOf } from '../tenants/email.ts'
import { nextOf } from './next.ts'
import { dropSession, keepSession, type PageContext } from './page-context.ts'
import { askReset, resetOf, resetPassword } from './reset.ts'
import type { PageSession } from './session-reader.ts'
import { deviceOf, endSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters of any kind. Four or five words that do not belong together are easy to keep in mind.`

export const signInPages = ({ sql, baseUrl, sendsMail }: PageContext) => [
  page<PageSession>({
    who: 'anyone',
    path: '/sign-in',
    title: 'Sign in',
    // A program whose description can be read only then may be told at once that what it asks for is refused.
    leadsAway: query => nextOf(query.get('next')).startsWith('/oauth/authorize'),
    show: ({ session, query }) => (session ? see(nextOf(query.get('next'))) : signInForm),
    actions: {
      '': async ({ sent, session, query, request, reply }) => {
        const device = deviceOf(request)
        const asked = { email: sent.text('email'), password: sent.text('password'), device, before: session }
        keepSession(reply, baseUrl, await signIn(sql, asked))
        return see(nextOf(query.get('next')))
      },
    },
  }),

  page<PageSession>({
    who: 'anyone',
    path: '/sign-out',
    title: 'Sign out',
    // Where its form was refused: that of a tab which was open for over a day, or whose session has ended meanwhile.
    show: ({ session }) => (session ? signOutForm : see('/sign-in')),
    actions: {
      '': async ({ session, reply }) => {
        if (session) await begin(sql, tx => endSession(tx, session.user, session.id))
        dropSession(reply, baseUrl)
        return seeSignIn()
      },
    },
  }),

  page<PageSession>({
    who: 'anyone',
    path: '/forgot',
    title: 'A new password',
    show: () => forgotForm,
    actions: {
      '': async ({ sent, request }) => {
        const email = emailOf(sent.text('email'))
        if (email === undefined) throw invalid({ field: 'email', code: 'invalid', message: 'must be an e-mail address.' })
        await askReset(sql, email, request.ip)
        return sendsMail ? mailed(email) : kept(email)
      },
    },
  }),

  page<PageSession>({
    who: 'anyone',
    path: '/reset/:token',
    title: 'Set a new password',
    secretAddress: true,
    show: async ({ params }) => ((await resetOf(sql, params['token'] as string)) ? resetForm : deadLink),
    actions: {
      '': async ({ params, sent, request, reply }) => {
        if (!(await resetPassword(sql, params['token'] as string, sent.text('password'), request.ip))) return deadLink
        dropSession(reply, baseUrl)
        return seeSignIn('Your new password is set. Sign in with it.')
      },
    },
  }),
]

const signInForm: Shown = {
  body: (
    <>
      <h1>Sign in</h1>
      <Form>
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <Field name="password" label="Password" type="password" autocomplete="current-password" required />
        <Button>Sign in</Button>
      </Form>
      <p>
        <a href="/forgot">Forgot your password?</a>
      </p>
    </>
  ),
}

const signOutForm = titled(
  'Sign out',
  <>
    <Form>
      <Button>Sign out</Button>
    </Form>
    <p>
      <a href="/dashboard">To the dashboard</a>
    </p>
  </>,
)

const forgotForm: Shown = {
  body: (
    <>
      <h1>A new password</h1>
      <p>A link to set one is made for you.</p>
      <Form>
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <Button>Send the link</Button>
      </Form>
      <p>
        <a href="/sign-in">Back to sign in</a>
      </p>
    </>
  ),
}

// The same whether there is an account or not.
const mailed = (email: string): Shown =>
  titled(
    'Look into your mail',
    <>
      <p>
        If <strong>{email}</strong> has an account, a link is on its way. It works for {RESET_MINUTES} minutes, once.
      </p>
      <p>None came? Look among the unwanted mails, or ask an admin of your workspace whether this is the address of your account.</p>
      <p>
        <a href="/sign-in">Back to sign in</a>
      </p>
    </>,
  )

// Likewise.
const kept = (email: string): Shown =>
  titled(
    'Ask for your link',
    <>
      <p>
        This service has no mail server. If <strong>{email}</strong> has an account, ask those who run the service for a link to set a new
        password: they make it with <code>bin/shopdesk user reset</code>. It works for {RESET_MINUTES} minutes, once.
      </p>
      <p>
        <a href="/sign-in">Back to sign in</a>
      </p>
    </>,
  )

const resetForm: Shown = {
  body: (
    <>
      <h1>Set a new password</h1>
      <p>All your sessions end with it, on other devices too.</p>
      <Form>
        <Field name="password" label="New password" type="password" autocomplete="new-password" hint={PASSWORD_HINT} required />
        <Button>Set the password</Button>
      </Form>
    </>
  ),
}

const deadLink = titled(
  'This link no longer works',
  <>
    <p>
      A link to set a new password works for {RESET_MINUTES} minutes, and once. If you asked for several, open the one of the newest mail.
    </p>
    <p>
      <a href="/forgot">Have a new link sent</a>
    </p>
  </>,
  { status: 404 },
)
