// REST keys, for admins: what programs of the workspace call the API with.
import { page, type Shown } from '../ingress/page/page.ts'
import { Copyable } from '../ingress/page/parts.tsx'
import type { Sql } from '../postgres/sql.ts'
import { KeyList, makeKey, NewKey, NewKeyForm } from './key-parts.tsx'
import { openKeys } from './keys.ts'
import type { PageContext } from './page-context.ts'
import type { PageSession } from './session-reader.ts'

export const DEVELOPER = '/dashboard/settings/developer'

export const developerPage = ({ sql, baseUrl }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: DEVELOPER,
    title: 'Developer',
    show: ({ session, query }) => shown(sql, session.tenant, query.get('before'), baseUrl),
    actions: {
      create: visit =>
        makeKey(sql, visit, 'rest', (key, scopes) => (
          <>
            <NewKey>{key}</NewKey>
            <h2>A first call</h2>
            <Copyable label="A first call">{firstCall(baseUrl, key, scopes)}</Copyable>
            <p>
              <a href="/docs">All of the API</a> · <a href={DEVELOPER}>Back to the keys</a>
            </p>
          </>
        )),
    },
  })

async function shown(sql: Sql, tenant: string, before: string | null, baseUrl: string): Promise<Shown> {
  const { keys, next } = await openKeys(sql, tenant, 'rest', before)
  return {
    body: (
      <>
        <h1>Developer</h1>
        <p>
          Programs of yours call the API at <code>{baseUrl}/api/v1</code> with a key. Each has all of this workspace before it, within its
          scopes, until it is revoked. <a href="/docs">What the API can do</a>
        </p>
        <h2>REST keys</h2>
        <KeyList
          keys={keys}
          next={next}
          here={DEVELOPER}
          caption="Keys that open the API, the newest first"
          before={before}
          empty="There is no key yet. Make one below for each program, so that one can be revoked without stopping the others."
        />
        <h2>Make a key</h2>
        <NewKeyForm
          hint="What it is for, such as “Accounting” or “Shop window”."
          reads="Orders, products, contacts and conversations, and all else that can be looked at."
          writes="Place and move orders, change products and contacts, answer customers."
        />
      </>
    ),
  }
}

/** A call that the scopes allow. */
function firstCall(baseUrl: string, key: string, scopes: string[]): string {
  const authorization = `-H "Authorization: Bearer ${key}"`
  if (scopes.includes('read')) return `curl "${baseUrl}/api/v1/orders?limit=3" ${authorization}`
  return `curl ${baseUrl}/api/v1/products ${authorization} -H "Content-Type: application/json" -d '{"name":"A first product","price_amount":4900}'`
}
