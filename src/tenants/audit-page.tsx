// What was done in a workspace, for its admins.
import type { PageContext } from '../access/page-context.ts'
import type { PageSession } from '../access/session-reader.ts'
import { markup } from '../ingress/page/markup.ts'
import { page } from '../ingress/page/page.ts'
import { Copyable, Time } from '../ingress/page/parts.tsx'
import { Table } from '../ingress/page/table.tsx'
import { AUDIT_PAGE_DEFAULT } from '../limits/tenants.ts'
import { auditOf } from '../postgres/audit-list.ts'
import { peopleOf } from './people.ts'

export const auditPage = ({ sql }: PageContext) =>
  page<PageSession>({
    who: 'admin',
    path: '/dashboard/settings/audit',
    title: 'Audit',
    show: async ({ session: { tenant } }) => {
      const [rows, people] = await Promise.all([auditOf(sql, tenant, { limit: AUDIT_PAGE_DEFAULT }), peopleOf(sql, tenant)])
      const names = new Map(people.map(({ id, email }) => [id, email]))
      return {
        body: (
          <>
            <h1>Audit</h1>
            <Table
              caption={`The last ${AUDIT_PAGE_DEFAULT} things that were done here, the latest first`}
              columns={[
                { title: 'When', of: row => <Time at={row.at} /> },
                { title: 'Who', of: row => (row.actor_id === null ? row.actor_type : (names.get(row.actor_id) ?? row.actor_id)) },
                { title: 'What', of: row => markup`<code>${row.action}</code>` },
                { title: 'To', of: row => names.get(row.subject_id) ?? (row.subject_id === tenant ? 'this workspace' : row.subject_id) },
                { title: 'How', of: row => inWords(row.details) },
              ]}
              rows={rows}
              empty={<p>Nothing was done yet.</p>}
            />
            <p>Older ones, and those of one subject or action, on the command line:</p>
            <Copyable label="A command">{`bin/shopdesk audit list --tenant ${tenant}`}</Copyable>
          </>
        ),
      }
    },
  })

const inWords = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${wordsOf(value)}`)
    .join('; ')

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isListed(value) ? value.join(', ') : JSON.stringify(value)
}

const isListed = (value: unknown): value is string[] => Array.isArray(value) && value.every(each => typeof each === 'string')
