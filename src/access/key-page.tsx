// One key, for admins: what is known of it, and its end. It is named before it is revoked, for programs stop with it.
import { Ending } from '../ingress/page/form.tsx'
import { page, see } from '../ingress/page/page.ts'
import { Time } from '../ingress/page/parts.tsx'
import { PageRefusal } from '../ingress/page/refusal.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Kind } from './key.ts'
import { keyHint, keyName, maker } from './key-parts.tsx'
import { type OpenKey, openKey, revokeKey } from './keys.ts'
import type { PageContext } from './page-context.ts'
import { passwordAgain } from './password-again.tsx'
import type { PageSession } from './session-reader.ts'

/** @param list the page that the keys of this kind stand on */
export const keyPage = ({ sql }: PageContext, kind: Kind, list: string) =>
  page<PageSession>({
    who: 'admin',
    path: `${list}/keys/:key`,
    title: 'Revoke a key',
    show: async ({ session, params }) => {
      const key = await found(sql, session.tenant, kind, params, list)
      return {
        body: (
          <>
            <h1>Revoke “{keyName(key)}”?</h1>
            <p>Programs that use it are refused from their next request on. It cannot be undone; a new key can be made at any time.</p>
            <dl class="facts">
              <dt>Key</dt>
              <dd>
                <code>{keyHint(key)}</code>
              </dd>
              <dt>Scopes</dt>
              <dd>{key.scopes.join(', ')}</dd>
              <dt>Made</dt>
              <dd>
                <Time at={key.created_at} />, by {maker(key)}
              </dd>
              <dt>Last used</dt>
              <dd>
                <Time at={key.last_used_at} never="never" />
              </dd>
            </dl>
            <Ending keep={list}>Revoke “{keyName(key)}”</Ending>
          </>
        ),
      }
    },
    actions: {
      '': async visit => {
        const { session, params, request } = visit
        const key = await found(sql, session.tenant, kind, params, list)
        const again = await passwordAgain(sql, visit, [])
        if (again) return again
        const revoked = await revokeKey(sql, session.tenant, key.id, { type: 'user', id: session.user }, request.traceId)
        return see(list, revoked ? `The key “${keyName(key)}” is revoked.` : `The key “${keyName(key)}” was revoked before.`)
      },
    },
  })

async function found(sql: Queryable, tenant: string, kind: Kind, { key = '' }: Record<string, string>, list: string): Promise<OpenKey> {
  const row = await openKey(sql, tenant, kind, key)
  if (!row) throw new PageRefusal(404, 'There is no such key', 'It may have been revoked already.', { href: list, label: 'To the keys' })
  return row
}
