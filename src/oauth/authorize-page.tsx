// The page on which a person allows a client to act for them. What the client says of itself stands in quotes; what is known of it stands apart.
import type { VNode } from 'preact'
import type { PageSession } from '../access/session-reader.ts'
import { holdSession } from '../access/sessions.ts'
import { Checkbox, Select } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { type Answer, page, type See, type Shown, see, type Visit } from '../ingress/page/page.ts'
import { Said, visible } from '../ingress/page/parts.tsx'
import type { Sent } from '../ingress/page/sent.ts'
import { titled } from '../ingress/page/titled.tsx'
import { CLIENT_NAME_CHARS } from '../limits/oauth.ts'
import { begin } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { tellPerson } from '../tenants/accounts.ts'
import { holdMember, workspacesOf } from '../tenants/people.ts'
import { type Asked, answerTo, given, judge, redirectOf, single } from './authorization.ts'
import { type Client, findRegistered } from './clients.ts'
import { type DocumentContext, isDocument, knownDocument, readDocument } from './document.ts'
import { approve } from './grants.ts'
import { destinationOf } from './redirect.ts'
import { OAuthRefusal } from './refusal.ts'

export interface AuthorizeContext extends DocumentContext {
  baseUrl: string
}

/** What is asked of whom: or where the request leads instead. */
type Question = { client: Client; asked: Asked; session: PageSession } | { answer: Answer }

export const authorizePage = (context: AuthorizeContext) =>
  page<PageSession>({
    who: 'anyone',
    path: '/oauth/authorize',
    title: 'Allow access',
    secretAddress: true,
    leadsAway: () => true,
    show: async visit => {
      const question = await questionOf(context, visit)
      return 'answer' in question ? question.answer : consent(context, question)
    },
    actions: {
      '': async visit => {
        // All of it is judged again: what was shown may be an hour old, and the address is the browser's to change.
        const question = await questionOf(context, visit)
        return 'answer' in question ? question.answer : decide(context, question, visit)
      },
    },
  })

async function questionOf(context: AuthorizeContext, { session, request, ...visit }: Visit<PageSession | undefined>): Promise<Question> {
  const query = given(visit.query)
  const signIn = toSignIn(request)
  const client = await clientOf(context, single(query, 'client_id'), session)
  if (client === 'sign in first') return { answer: signIn }
  if (client instanceof OAuthRefusal) return { answer: wrongClient(client.message) }
  const redirectUri = redirectOf(query, client)
  if (redirectUri === undefined) return { answer: wrongRedirect }
  const asked = judge(query, redirectUri, client, context.baseUrl)
  if ('error' in asked)
    return { answer: see(answerTo(asked, { error: asked.error, error_description: asked.description }, context.baseUrl)) }
  return session ? { client, asked, session } : { answer: signIn }
}

const toSignIn = ({ url }: { url: string }): See => see(`/sign-in?next=${encodeURIComponent(url)}`)

async function clientOf(
  context: AuthorizeContext,
  id: string | undefined,
  session: PageSession | undefined,
): Promise<Client | OAuthRefusal | 'sign in first'> {
  const unknown = new OAuthRefusal('invalid_client', 'It is not registered here, or was removed since.')
  if (id === undefined) return unknown
  if (!isDocument(id, context.allowPrivate)) return (await findRegistered(context.sql, id)) ?? unknown
  const known = await knownDocument(context.sql, id)
  if (known || !session) return known ?? 'sign in first'
  return readDocument(context, id, session).catch(error => {
    if (error instanceof OAuthRefusal) return error
    throw error
  })
}

async function decide(
  { sql, baseUrl }: AuthorizeContext,
  { client, asked, session }: Extract<Question, { client: Client }>,
  { sent, request }: Visit<PageSession | undefined> & { sent: Sent },
): Promise<See> {
  const decision = sent.text('decision')
  if (decision !== 'allow' && decision !== 'deny') throw invalid({ field: '', code: 'invalid', message: 'Choose Allow or Deny.' })
  const ticked = sent.list('scope')
  const scopes = asked.scopes.filter(scope => scope === 'read' || ticked.includes(scope))
  const denied = () => see(answerTo(asked, { error: 'access_denied', error_description: 'The person did not allow it.' }, baseUrl))
  if (decision === 'deny' || scopes.length === 0) return denied()
  const tenant = sent.text('tenant') || session.tenant
  const { redirectUri, challenge } = asked
  const made = await begin(sql, async tx => {
    // Held, so that a removal or a new password that comes at this moment ends this grant too.
    if (!(await holdMember(tx, tenant, session.user))) return 'no member'
    if (!(await holdSession(tx, session.id))) return 'signed out'
    const caller = { tenant, actor: { type: 'user' as const, id: session.user } }
    const { code } = await approve(tx, caller, { client: client.id, redirectUri, challenge, scopes })
    await tellPerson(tx, { id: session.user, email: session.email }, mail(client, redirectUri))
    return { code }
  })
  if (made === 'no member') throw invalid({ field: 'tenant', code: 'invalid', message: 'must be one of your workspaces.' })
  return made === 'signed out' ? toSignIn(request) : see(answerTo(asked, made, baseUrl))
}

const mail = (client: Client, redirectUri: string) => ({
  kind: 'oauth.approve',
  subject: 'A program was connected to your account',
  lines: [
    `A program that calls itself “${nameOf(client)}” may use Shopdesk for you now. You allowed it, and were sent to ${destinationOf(redirectUri).host}.`,
    'If it was not you, set a new password at once (“Forgot your password?” on the page to sign in): that ends its access too.',
  ],
})

async function consent({ sql }: AuthorizeContext, { client, asked, session }: Extract<Question, { client: Client }>): Promise<Shown> {
  const workspaces = await workspacesOf(sql, session.user)
  return {
    body: (
      <>
        <h1>Allow access to your shop?</h1>
        <p>
          A program that calls itself <Said>{nameOf(client)}</Said> asks to use Shopdesk for you.
        </p>
        <Known client={client} redirectUri={asked.redirectUri} session={session} />
        <Form>
          {workspaces.length > 1 ? (
            <>
              <Select
                name="tenant"
                label="Workspace"
                value={session.tenant}
                options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <p>There it could:</p>
            </>
          ) : (
            <p>
              In the workspace <strong>{session.workspace}</strong> it could:
            </p>
          )}
          {asked.scopes.includes('read') && (
            <ul class="unticked">
              <li>read orders, products, contacts, conversations, figures and the assistant’s settings</li>
            </ul>
          )}
          {asked.scopes.includes('write') && (
            <Checkbox
              name="scope"
              value="write"
              label="send messages to customers, move orders, tag contacts, pause the assistant and, if you are an admin, change its persona"
              hint={asked.scopes.includes('read') ? 'Without the tick it can look, but change nothing.' : undefined}
              checked
            />
          )}
          <div class="actions">
            <Button name="decision" value="allow">
              Allow
            </Button>
            <Button name="decision" value="deny" kind="plain">
              Deny
            </Button>
          </div>
        </Form>
        <p class="hint">It never sees your password. You can end its access at any time, on the page of your account.</p>
      </>
    ),
  }
}

interface KnownProps {
  client: Client
  redirectUri: string
  session: PageSession
}

function Known({ client, redirectUri, session }: KnownProps): VNode {
  const { host, isHere } = destinationOf(redirectUri)
  return (
    <dl class="facts">
      <dt>You are</dt>
      <dd>{session.email}</dd>
      <dt>Your answer goes to</dt>
      <dd>
        <strong>{host}</strong>
        {isHere && ', a program on this computer'}
      </dd>
      {client.freshUntil && (
        <>
          <dt>It is described by</dt>
          <dd>
            <strong>{new URL(client.id).host}</strong>
          </dd>
        </>
      )}
    </dl>
  )
}

const nameOf = ({ metadata }: Client): string => visible(metadata.client_name ?? '').slice(0, CLIENT_NAME_CHARS) || 'no name'

const wrongClient = (why: string): Shown =>
  titled(
    'This program is not known',
    <>
      <p>{why}</p>
      <p>Go back to the program, remove its connection to Shopdesk there, and connect it anew.</p>
    </>,
    { status: 400 },
  )

const wrongRedirect = titled(
  'This link is not right',
  <>
    <p>The program asks to have you sent to an address that it did not register, so you are sent nowhere: the link may be forged.</p>
    <p>Go back to the program, remove its connection to Shopdesk there, and connect it anew.</p>
  </>,
  { status: 400 },
)
