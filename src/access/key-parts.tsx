// Keys of either kind on pages: the list of those that open something, the form that makes one, and the answer that shows it, this once.
import type { ComponentChildren, VNode } from 'preact'
import { Choices, Field } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import { markup, time } from '../ingress/page/markup.ts'
import type { See, Shown, Visit } from '../ingress/page/page.ts'
import { Copyable, Notice, visible } from '../ingress/page/parts.tsx'
import type { Sent } from '../ingress/page/sent.ts'
import { Table } from '../ingress/page/table.tsx'
import { titled } from '../ingress/page/titled.tsx'
import { begin, type Sql } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { nameOf } from '../tenants/email.ts'
import { issueKey } from './issue.ts'
import type { Kind } from './key.ts'
import type { OpenKey } from './keys.ts'
import { passwordAgain } from './password-again.tsx'
import type { PageSession } from './session-reader.ts'

const SCOPES = ['read', 'write']

/** What a key is called where it has no name, and how it is told from others of its name. */
export const keyName = ({ name }: Pick<OpenKey, 'name'>): string => visible(name ?? '') || 'untitled'
export const keyHint = ({ prefix, last_four }: OpenKey): string => `${prefix}…${last_four}`

/** Who made a key, in words. */
export function maker({ made_by_type, made_by_email }: OpenKey): string {
  if (made_by_type === null) return 'not known'
  if (made_by_type === 'cli') return 'the command line'
  if (made_by_type !== 'user') return 'the service'
  return made_by_email ?? 'a person who has left'
}

interface KeyListProps {
  keys: OpenKey[]
  /** What to pass as `before` for older ones. */
  next: string | undefined
  /** The page that they stand on; each has a page of its own below it. */
  here: string
  /** Where the list goes on, of keys before that one; null at its beginning. */
  before: string | null
  caption: string
  /** What to do where there is none at all. */
  empty: string
}

// V8 keeps a text of Latin letters alone in half the memory, and encodes it in a third of the time.
const hint = ({ prefix, last_four }: OpenKey) => markup`${prefix}&hellip;${last_four}`

/** The keys, with a link to the page on which each is revoked. */
export const KeyList = ({ keys, next, here, before, caption, empty }: KeyListProps): VNode => (
  <>
    <Table
      caption={caption}
      columns={[
        { title: 'Name', of: key => keyName(key) },
        { title: 'Key', of: key => markup`<code>${hint(key)}</code>` },
        { title: 'Scopes', of: key => key.scopes.join(', ') },
        {
          title: 'Made by',
          of: key => markup`<div>${maker(key)}<small class="hint">${time(key.created_at)}</small></div>`,
        },
        { title: 'Last used', of: key => time(key.last_used_at, 'never') },
        {
          title: 'Revoke',
          isAction: true,
          of: key => markup`<a href="${here}/keys/${key.id}" aria-label="Revoke ${keyName(key)}, ${hint(key)}">Revoke</a>`,
        },
      ]}
      rows={keys}
      empty={<p>{before === null ? empty : 'There are no older keys.'}</p>}
    />
    {next !== undefined && (
      <p>
        <a href={`${here}?before=${next}`}>Older keys</a>
      </p>
    )}
  </>
)

/** What may be asked of a key. @param reads @param writes what those scopes let its program do */
export const NewKeyForm = ({ hint, reads, writes }: { hint: string; reads: string; writes: string }): VNode => (
  <Form name="create">
    <Field name="name" label="Name" hint={hint} autocomplete="off" maxLength={100} required />
    <Choices
      name="scope"
      legend="Scopes"
      value={['read']}
      options={[
        { value: 'read', label: 'Read', hint: reads },
        { value: 'write', label: 'Write', hint: writes },
      ]}
    />
    <Button>Make the key</Button>
  </Form>
)

/**
 * Makes a key as the form asks for, by the person whose session it is.
 * @param made what the page shows with the new key
 * @throws {Problem} 422 for `name` and `scope`
 */
export async function makeKey(
  sql: Sql,
  visit: Visit<PageSession> & { sent: Sent },
  kind: Kind,
  made: (key: string, scopes: string[], name: string) => ComponentChildren,
): Promise<Shown | See> {
  const { session, sent, request } = visit
  const [name, scopes] = [nameOf(sent.text('name')), sent.list('scope')]
  const errors = [
    ...(name === undefined
      ? [{ field: 'name', code: 'invalid', message: 'must say what the key is for, in at most 100 characters that can be seen.' }]
      : []),
    ...(scopes.length === 0 || scopes.some(scope => !SCOPES.includes(scope))
      ? [{ field: 'scope', code: 'invalid', message: 'must be read, write or both.' }]
      : []),
  ]
  if (name === undefined || errors.length > 0) throw invalid(errors)
  const again = await passwordAgain(sql, visit, ['name', 'scope'])
  if (again) return again
  const asked = { tenant: session.tenant, kind, name, scopes: SCOPES.filter(scope => scopes.includes(scope)) }
  const { key } = await begin(sql, tx => issueKey(tx, asked, { type: 'user', id: session.user }, request.traceId))
  return titled(`The key “${name}” is made`, made(key, asked.scopes, name))
}

/** The new key itself. */
export const NewKey = ({ children }: { children: string }): VNode => (
  <>
    <Notice kind="warning">Copy the key now and keep it in a safe place: it is shown this once, and cannot be looked up again.</Notice>
    <Copyable label="The key">{children}</Copyable>
  </>
)
