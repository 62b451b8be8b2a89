// The people of a workspace, for its admins: who is there, who is invited, and what the workspace is called.
import type { PageContext } from '../access/page-context.ts'
import { passwordAgain } from '../access/password-again.tsx'
import type { PageSession } from '../access/session-reader.ts'
import type { Caller } from '../caller.ts'
import { Field, Select } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { page, type Shown, see } from '../ingress/page/page.ts'
import { Copyable, Notice, Time } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import { titled } from '../ingress/page/titled.tsx'
import { INVITATION_DAYS } from '../limits/tenants.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { emailOf, nameOf } from './email.ts'
import { dropInvitation } from './invitation-links.ts'
import { invite, openInvitations } from './invitations.ts'
import { peopleOf } from './people.ts'
import { ROLES, type Role } from './roles.ts'
import { timeZoneOf, updateTenant } from './tenants.ts'
import { isTimeZone } from './time-zone.ts'

export const TEAM = '/dashboard/settings/team'

export const callerOf = ({ tenant, user }: PageSession, request: { traceId: string }): Caller => ({
  tenant,
  actor: { type: 'user', id: user },
  traceId: request.traceId,
})

export const teamPage = ({ sql, baseUrl, sendsMail }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: TEAM,
    title: 'Team',
    show: ({ session }) => shown(sql, session),
    actions: {
      invite: async visit => {
        const { session, sent, request } = visit
        const email = emailOf(sent.text('email'))
        if (email === undefined) throw invalid({ field: 'email', code: 'invalid', message: 'must be an e-mail address.' })
        const role = roleOf(sent.text('role'))
        const again = await passwordAgain(sql, visit, ['email', 'role'])
        if (again) return again
        const { url } = await begin(sql, tx => invite(tx, callerOf(session, request), { email, role }, baseUrl))
        return sendsMail
          ? see(TEAM, `${email} is invited: the link is in the mail, and works for ${INVITATION_DAYS} days.`)
          : toHandOver(email, url)
      },
      withdraw: async visit => {
        const { session, sent, request } = visit
        const again = await passwordAgain(sql, visit, ['address'])
        if (again) return again
        const withdrawn = await begin(sql, tx => dropInvitation(tx, callerOf(session, request), sent.text('address')))
        return see(
          TEAM,
          withdrawn ? 'The invitation is withdrawn: its link no longer works.' : 'That invitation was used or withdrawn before.',
        )
      },
      workspace: async ({ session, sent, request }) => {
        const [name, time_zone] = [nameOf(sent.text('name')), sent.text('time_zone').trim()]
        if (name === undefined)
          throw invalid({ field: 'name', code: 'invalid', message: 'must be what the workspace is called, in at most 100 characters.' })
        if (!isTimeZone(time_zone))
          throw invalid({ field: 'time_zone', code: 'invalid', message: 'must be the name of one, such as Europe/Kyiv or UTC.' })
        await updateTenant(sql, callerOf(session, request), { name, time_zone })
        return see(TEAM, 'The name and the time zone are saved.')
      },
    },
  })

export function roleOf(text: string): Role {
  const role = ROLES.find(each => each === text)
  if (!role) throw invalid({ field: 'role', code: 'invalid', message: `must be one of ${ROLES.join(', ')}.` })
  return role
}

const ROLE_OPTIONS = [
  { value: 'operator', label: 'Operator' },
  { value: 'admin', label: 'Admin' },
]

export const RoleField = ({ value = 'operator' }: { value?: Role }) => (
  <Select
    name="role"
    label="Role"
    value={value}
    options={ROLE_OPTIONS}
    hint="An operator works with orders, products, contacts and conversations. An admin also has keys, webhooks, channels, payments and the team."
  />
)

async function shown(sql: Sql, session: PageSession): Promise<Shown> {
  const { tenant } = session
  const [people, invited, zone] = await Promise.all([peopleOf(sql, tenant), openInvitations(sql, tenant), timeZoneOf(sql, tenant)])
  return {
    body: (
      <>
        <h1>Team</h1>
        <Table
          caption="People of this workspace"
          columns={[
            { title: 'Name', of: row => row.name ?? '–' },
            { title: 'E-mail', of: row => row.email },
            { title: 'Role', of: row => row.role },
            {
              title: 'Change',
              isAction: true,
              of: row => (
                <a href={`${TEAM}/${row.id}`} aria-label={`Change ${row.email}`}>
                  Change
                </a>
              ),
            },
          ]}
          rows={people}
          empty={<p>No members yet. Invite a person below.</p>}
        />

        <h2>Invite a person</h2>
        <Form name="invite">
          <Field name="email" label="E-mail" type="email" autocomplete="off" required />
          <RoleField />
          <Button>Invite</Button>
        </Form>
        {invited.length > 0 && (
          <Table
            caption="Invited, and not here yet"
            columns={[
              { title: 'E-mail', of: row => row.address },
              { title: 'Role', of: row => row.role },
              { title: 'Until', of: row => <Time at={row.expires_at} /> },
              {
                title: 'Withdraw',
                isAction: true,
                of: row => (
                  <Form name="withdraw">
                    <input type="hidden" name="address" value={row.address} />
                    <Button kind="plain" label={`Withdraw the invitation of ${row.address}`}>
                      Withdraw
                    </Button>
                  </Form>
                ),
              },
            ]}
            rows={invited}
            empty={<p>No invitation is open.</p>}
          />
        )}

        <h2>Workspace</h2>
        <Form name="workspace">
          <Field name="name" label="Name" value={session.workspace} autocomplete="off" maxLength={100} required />
          <Field
            name="time_zone"
            label="Time zone"
            value={zone}
            autocomplete="off"
            hint="Where its days begin and end, such as Europe/Kyiv."
            required
          />
          <Button>Save</Button>
        </Form>
      </>
    ),
  }
}

const toHandOver = (email: string, url: string): Shown =>
  titled(
    `${email} is invited`,
    <>
      <Notice kind="warning">
        This service sends no mails, for it has no mail server: give {email} this link yourself. It is shown this once, and works for{' '}
        {INVITATION_DAYS} days.
      </Notice>
      <Copyable label="The link">{url}</Copyable>
      <p>
        <a href={TEAM}>Back to the team</a>
      </p>
    </>,
  )
