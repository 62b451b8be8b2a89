// The AI clients that a person has connected in the workspace they work in, on the page of their account.
import type { VNode } from 'preact'
import { Button, Form } from '../ingress/page/form.tsx'
import { Time } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import type { ListedGrant } from '../oauth/grants.ts'

export const OwnClients = ({ grants }: { grants: ListedGrant[] }): VNode => (
  <Table
    caption="What you have allowed to act for you in this workspace"
    columns={[
      // As the client calls itself: the quotes say that it is not our word.
      { title: 'Client', of: row => `“${row.client}”` },
      { title: 'Scopes', of: row => row.scopes.join(', ') },
      { title: 'Connected', of: row => <Time at={new Date(row.created_at)} /> },
      { title: 'Last used', of: row => <Time at={new Date(row.last_used_at)} /> },
      {
        title: 'Disconnect',
        of: row => (
          <Form name="disconnect">
            <input type="hidden" name="grant" value={row.id} />
            <Button kind="danger" label={`Disconnect ${row.client}`}>
              Disconnect
            </Button>
          </Form>
        ),
      },
    ]}
    rows={grants}
    keyOf={row => row.id}
    empty={
      <p>You have connected none. A client such as Claude or Cursor asks you here when it is given the address of the agent server.</p>
    }
  />
)
