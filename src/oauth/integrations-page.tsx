// AI clients of a workspace, for its admins: how each is connected, which people have connected, and agent keys.
import { KeyList, makeKey, NewKey, NewKeyForm } from '../access/key-parts.tsx'
import { openKeys } from '../access/keys.ts'
import type { PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { page, type Shown } from '../ingress/page/page.ts'
import { Copyable, Said, Time, visible } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import type { Sql } from '../postgres/sql.ts'
import { membersById } from '../tenants/people.ts'
import { Connecting, ConnectingWith } from './connecting.tsx'
import { listGrants } from './grants.ts'

export const INTEGRATIONS = '/dashboard/settings/integrations'

export const integrationsPage = ({ sql, baseUrl }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: INTEGRATIONS,
    title: 'Integrations',
    show: ({ session, query }) => shown(sql, session.tenant, query.get('before'), baseUrl),
    actions: {
      create: visit =>
        makeKey(sql, visit, 'mcp', key => (
          <>
            <NewKey>{key}</NewKey>
            <h2>A first call</h2>
            <Copyable label="A first call">{firstCall(baseUrl, key)}</Copyable>
            <h2>Connect a client with it</h2>
            <ConnectingWith baseUrl={baseUrl} apiKey={key} />
            <p>
              <a href={INTEGRATIONS}>Back to the integrations</a>
            </p>
          </>
        )),
    },
  })

async function shown(sql: Sql, tenant: string, before: string | null, baseUrl: string): Promise<Shown> {
  const [grants, { keys, next }, people] = await Promise.all([
    listGrants(sql, tenant),
    openKeys(sql, tenant, 'mcp', before),
    membersById(sql, tenant),
  ])
  return {
    body: (
      <>
        <h1>Integrations</h1>
        <p>
          AI clients such as Claude, ChatGPT or Cursor read this shop and act in it, within bounds. All they need is the address of the
          agent server. <a href="/docs/agent">What they can do, and what never</a>
        </p>
        <Copyable label="The address of the agent server">{`${baseUrl}/api/mcp`}</Copyable>

        <h2>Connect a client</h2>
        <Connecting baseUrl={baseUrl} />

        <h2>Connected clients</h2>
        <Table
          caption="What people of this workspace have allowed to act for them, the last used first"
          columns={[
            { title: 'Client', of: row => <Said>{row.client}</Said> },
            { title: 'Where it is', of: row => row.hosts.join(', ') || '–' },
            {
              title: 'Acts for',
              of: row => (
                <div>
                  {people.get(row.user)?.email ?? '–'}
                  <small class="hint">
                    connected <Time at={new Date(row.created_at)} />
                  </small>
                </div>
              ),
            },
            { title: 'Scopes', of: row => row.scopes.join(', ') },
            { title: 'Last used', of: row => <Time at={new Date(row.last_used_at)} /> },
            {
              title: 'Disconnect',
              isAction: true,
              of: row => (
                <a
                  href={`${INTEGRATIONS}/clients/${row.id}`}
                  aria-label={`Disconnect ${visible(row.client)} of ${people.get(row.user)?.email}`}
                >
                  Disconnect
                </a>
              ),
            },
          ]}
          rows={grants}
          empty={
            <p>No client is connected yet. Choose one above: it leads you to a page here, on which you allow what it may do for you.</p>
          }
        />

        <h2>Agent keys</h2>
        <KeyList
          keys={keys}
          next={next}
          here={INTEGRATIONS}
          caption="Keys that open the agent server, the newest first"
          before={before}
          empty="There is no agent key. Clients that open a browser need none; one is for programs that cannot, and acts for the workspace."
        />
        <h2>Make an agent key</h2>
        <NewKeyForm
          hint="Which client or program has it, such as “Night report”."
          reads="Read orders, products, contacts, conversations, figures and the assistant’s settings."
          writes="Send messages to customers, move orders, tag contacts, pause the assistant, change its persona."
        />
      </>
    ),
  }
}

// Every scope may ask which tools there are.
const firstCall = (baseUrl: string, key: string): string =>
  `curl ${baseUrl}/api/mcp -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`
