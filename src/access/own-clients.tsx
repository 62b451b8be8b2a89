// The AI clients that a person has connected in the workspace they work in, on the page of their account.
import type { VNode } from 'preact'
import { Button, Form } from '../ingress/page/form.tsx'
import { Said, Time, visible } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import type { ListedGrant } from '../oauth/grants.ts'

interface OwnClientsProps {
  grants: ListedGrant[]
  /** The agent server's address. */
  address: string
}

export const OwnClients = ({ grants, address }: OwnClientsProps): VNode => (
  <Table
    caption="What you have allowed to act for you in this workspace"
    columns={[
      { title: 'Client', of: row => <Said>{row.client}</Said> },
      { title: 'Where it is', of: row => row.hosts.join(', ') || '–' },
      { title: 'Scopes', of: row => row.scopes.join(', ') },
      { title: 'Connected', of: row => <Time at={new Date(row.created_at)} /> },
      { title: 'Last used', of: row => <Time at={new Date(row.last_used_at)} /> },
      {
        title: 'Disconnect',
        isAction: true,
        of: row => (
          <Form name="disconnect">
            <input type="hidden" name="grant" value={row.id} />
            <Button kind="danger" label={`Disconnect ${visible(row.client)}`}>
              Disconnect
            </Button>
          </Form>
        ),
      },
    ]}
    rows={grants}
    empty={
      <p>
        You have connected none. Give a client such as Claude or Cursor the address <code>{address}</code>: it leads you here, and you allow
        what it may do. <a href="/docs/agent/connecting">Step by step</a>
      </p>
    }
  />
)
