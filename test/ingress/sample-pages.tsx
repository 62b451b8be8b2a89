// Pages for the tests of the frame: one of each kind.
import { Checkbox, Field, Select, TextArea } from '../../src/ingress/page/fields.tsx'
import { Button, Form } from '../../src/ingress/page/form.tsx'
import { type MenuGroup, page, see } from '../../src/ingress/page/page.ts'
import { Copyable, Time } from '../../src/ingress/page/parts.tsx'
import { Table } from '../../src/ingress/page/table.tsx'
import { invalid, Problem } from '../../src/problems.ts'

export const menu: MenuGroup[] = [
  { title: 'Shop', links: [{ path: '/dashboard', title: 'Overview', who: 'operator' }] },
  { title: 'Settings', links: [{ path: '/dashboard/keys', title: 'Keys', who: 'admin' }] },
]

/** What the pages have done. */
export const made: string[] = []

const ROWS = [
  { name: '<b>hostile</b> & "quoted"', at: new Date('2026-01-02T03:04:05Z') },
  { name: 'A second one, with a rather long name that has to go somewhere on a phone', at: new Date('2026-01-02T03:04:05Z') },
]

export const pages = [
  page({
    who: 'anyone',
    path: '/sign-in',
    title: 'Sign in',
    show: () => ({
      body: (
        <>
          <h1>Sign in</h1>
          <Form>
            <Field name="email" label="E-mail" type="email" autocomplete="username" required />
            <Field name="password" label="Password" type="password" autocomplete="current-password" required />
            <Button>Sign in</Button>
          </Form>
        </>
      ),
    }),
    actions: {
      '': ({ sent }) => {
        if (sent.text('password') !== 'right') throw invalid({ field: 'password', code: 'wrong', message: 'is not the right one.' })
        return see('/dashboard', `Welcome, ${sent.text('email')}.`)
      },
    },
  }),
  page({
    who: 'anyone',
    path: '/invite/:token',
    title: 'Invitation',
    secretAddress: true,
    show: ({ params }) => ({ title: `Invitation ${params['token']}`, body: <h1>Invitation</h1> }),
  }),
  page({
    who: 'operator',
    path: '/dashboard',
    title: 'Overview',
    show: ({ query }) => ({
      body: (
        <>
          <h1>Overview</h1>
          <Table
            caption="Things, the newest first"
            columns={[
              { title: 'Name', of: row => row.name },
              { title: 'Made', of: row => <Time at={row.at} /> },
            ]}
            rows={query.has('none') ? [] : ROWS}
            empty={<p>There are no things yet. Make one on the page of keys.</p>}
          />
        </>
      ),
    }),
  }),
  page({
    who: 'admin',
    path: '/dashboard/keys',
    title: 'Keys',
    show: () => ({
      body: (
        <>
          <h1>Keys</h1>
          <h2>A new key</h2>
          <Form name="create">
            <Field name="name" label="Name" hint="What will use it, for instance." maxLength={50} required />
            <TextArea name="note" label="Note" />
            <Select
              name="kind"
              label="Kind"
              options={[
                { value: 'rest', label: 'REST' },
                { value: 'mcp', label: 'Agent' },
              ]}
            />
            <Checkbox name="scope" value="read" label="Read" checked />
            <Checkbox name="scope" value="write" label="Write" hint="Orders can be moved with it." />
            <Button>Create the key</Button>
          </Form>
          <h2>All keys</h2>
          <Form name="revoke">
            <Button kind="danger">Revoke all</Button>
          </Form>
        </>
      ),
    }),
    actions: {
      create: async ({ sent, session }) => {
        const name = sent.text('name')
        if (name === 'taken') throw new Problem('conflict', 'There is a key of that name.')
        if (name === 'broken') throw new Error('a bug, with a secret in its text')
        if (name === 'lost') throw Object.assign(new Error('the connection was lost at the commit'), { code: 'CONNECTION_CLOSED' })
        if (name === '') throw invalid({ field: 'name', code: 'required', message: 'is missing.' })
        made.push(`${session.tenant} ${name} ${sent.text('kind')} ${sent.list('scope').join()}`)
        return {
          body: (
            <>
              <h1>Keys</h1>
              <p>Copy the key now: it is not shown again.</p>
              <Copyable label="The key">{`sk_${name}`}</Copyable>
            </>
          ),
        }
      },
      revoke: () => see('/dashboard', 'All keys are revoked.'),
    },
  }),
  page({ who: 'anyone', path: '/sign-out', title: 'Sign out', actions: { '': () => see('/sign-in', 'You are signed out.') } }),
]
