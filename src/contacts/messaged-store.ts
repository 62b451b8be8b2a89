// When customers and the shop last wrote to each other, by contact.
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part } from '../postgres/sql.ts'

/** Records the times of messages, as a part of a statement. A message older than the last changes nothing. */
export const messaged = (messages: Messaged[]): Fragment => part`
  update contacts c
     set last_message_at = greatest(c.last_message_at, m.at)
    from (
      select r.tenant_id, r.id, r.at
        from ${MESSAGED.of(lastOfEach(messages))}
       cross join lateral (
         select t.id from contacts t
          where t.tenant_id = r.tenant_id and t.id = r.id
            for no key update) t
    ) m
   where c.tenant_id = m.tenant_id and c.id = m.id`

interface Messaged {
  tenant: string
  id: string
  /** ISO 8601. */
  at: string
}

/** The last message of each contact, in the order in which they are locked. */
function lastOfEach(messages: Messaged[]) {
  const last = new Map<string, Messaged>()
  for (const each of messages) {
    const key = `${each.tenant} ${each.id}`
    if (each.at >= (last.get(key)?.at ?? '')) last.set(key, each)
  }
  return [...last.keys()].toSorted().map(key => {
    const { tenant, id, at } = last.get(key) as Messaged
    return { tenant_id: tenant, id, at }
  })
}

const MESSAGED = columns({ tenant_id: 'text', id: 'text', at: 'timestamptz' })
