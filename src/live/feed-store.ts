// Every statement of the feed of changes: written, told, read, forgotten.
import { LIVE_HOURS, PRUNE_BATCH } from '../limits.ts'
import { epoch } from '../postgres/epoch.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Changed, Typing } from './change.ts'

const CHANGE = columns({ conversation_id: 'text', message_id: 'text' })

export const insertAll = (tenant: string, changes: Changed[]): Fragment => part`
  insert into live_changes (tenant_id, epoch, conversation_id, message_id)
  select ${tenant}, ${epoch}, r.conversation_id, r.message_id
    from ${CHANGE.of(changes.map(({ conversation, message }) => ({ conversation_id: conversation, message_id: message ?? null })))}`

/** The channel of NOTIFY. */
export const CHANNEL = 'shopdesk_live'
/** A message may have 8 000 bytes. */
const TENANTS_OF_MESSAGE = 200

export interface Told {
  tenant: string
  what: Typing
}

export function changedMessages(tenants: string[]): string[] {
  const messages: string[] = []
  for (let at = 0; at < tenants.length; at += TENANTS_OF_MESSAGE)
    messages.push(JSON.stringify({ changed: tenants.slice(at, at + TENANTS_OF_MESSAGE) }))
  return messages
}

export const typingMessage = (typing: Told): string => JSON.stringify({ typing })

/** Whatever was told: undefined members were not. */
export const toldIn = (message: string): { changed?: string[]; typing?: Told } => JSON.parse(message) as never

/** Does not wait for the disk: a crash of the server ends all connections that listen. */
export async function notify(sql: Queryable, messages: string[]): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'off', true), (
      select count(pg_notify(${CHANNEL}, m.text)) from unnest(${messages}::text[]) as m (text))`
}

/** Deletes what is older than a stream may go back. */
export const pruneLive: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from live_changes d
       using (
         select c.tenant_id, c.at, c.seq
           from tenants t,
                lateral (
                  select c.tenant_id, c.at, c.seq
                    from live_changes c
                   where c.tenant_id = t.id and c.at < now() - make_interval(hours => ${LIVE_HOURS + 1})
                   order by c.at
                   limit ${PRUNE_BATCH}) c
          limit ${PRUNE_BATCH}) old
       where d.tenant_id = old.tenant_id and d.at = old.at and d.seq = old.seq`
    return count
  })
