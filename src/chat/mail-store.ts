// Every statement about mails that tell visitors of unread answers.
import type { Ref } from '../ids.ts'
import { CHAT_MAILS_DAYS } from '../limits/chat.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import { mailboxOf } from './mailbox.ts'

export interface Mail {
  hash: Buffer
  conversation: string
  visitor: string
  /** Its address. */
  to: string
  /** The time of the last answer that it tells of. */
  told: string
}

export async function insert(tx: Tx, { tenant, id }: Ref, { hash, conversation, visitor, to, told }: Mail): Promise<void> {
  const row = { tenant_id: tenant, channel_id: id, hash, conversation_id: conversation, visitor_id: visitor, told_until: told }
  await tx`insert into chat_mails ${tx({ ...row, address: addressHash(to) })}`
}

// A mailbox is told apart, and need not be read.
const addressHash = (address: string): Buffer => sha256(mailboxOf(address))

/** Uses a link, once; it is not used up where the talk is anyway. @param by the visitor who uses it, perhaps again @returns the one whose talk it is */
export async function use(sql: Queryable, { tenant, id }: Ref, hash: Buffer, by: string | null, days: number): Promise<string | undefined> {
  const [row] = await sql<{ visitor_id: string }[]>`
    update chat_mails
       set used_at = case when visitor_id is distinct from ${by} then coalesce(used_at, now()) else used_at end,
           used_by = case when visitor_id is distinct from ${by} then ${by} else used_by end
     where tenant_id = ${tenant} and channel_id = ${id} and hash = ${hash} and (used_at is null or ${by} in (used_by, visitor_id))
       and created_at > now() - make_interval(days => ${days})
    returning visitor_id`
  return row?.visitor_id
}

/** Ends the mails of a visitor, and all to the address that this link was mailed to. @returns false where there is no such link */
export async function end(sql: Queryable, { tenant, id }: Ref, hash: Buffer): Promise<boolean> {
  const rows = await sql`
    with mail as (
      select m.tenant_id, m.channel_id, m.visitor_id, m.address
        from chat_mails m
       where m.tenant_id = ${tenant} and m.channel_id = ${id} and m.hash = ${hash}
    ), of_visitor as (
      insert into chat_mail_ends (tenant_id, channel_id, visitor_id)
      select tenant_id, channel_id, visitor_id from mail
          on conflict do nothing
    ), of_address as (
      insert into chat_mail_ended_addresses (tenant_id, channel_id, address)
      -- Null in a mail from before addresses were noted.
      select tenant_id, channel_id, address from mail where address is not null
          on conflict do nothing
    )
    select from mail`
  return rows.length > 0
}

export interface History {
  ended: boolean
  /** Mails of the last day about the conversation. */
  lately: number
  /** When the oldest of them was sent: ISO 8601. */
  first: Date | null
  told_until: Date | null
}

/** What was mailed about a conversation, and whether there is to be more. */
export async function history(
  tx: Tx,
  { tenant, id }: Ref,
  { conversation, visitor, to }: Pick<Mail, 'conversation' | 'visitor' | 'to'>,
): Promise<History> {
  const [row] = await tx<History[]>`
    select exists (
             select from chat_mail_ends e where e.tenant_id = ${tenant} and e.channel_id = ${id} and e.visitor_id = ${visitor})
           or exists (
             select from chat_mail_ended_addresses e
              where e.tenant_id = ${tenant} and e.channel_id = ${id} and e.address = ${addressHash(to)}) as ended,
           count(*) filter (where m.created_at > now() - interval '1 day')::integer as lately,
           min(m.created_at) filter (where m.created_at > now() - interval '1 day') as first,
           max(m.told_until) as told_until
      from chat_mails m
     where m.tenant_id = ${tenant} and m.conversation_id = ${conversation}`
  return row as History
}

/** Deletes mails whose links are of no use any more. */
export const pruneChatMails: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from chat_mails d
       using (
         select tenant_id, channel_id, hash from chat_mails
          where created_at < now() - make_interval(days => ${CHAT_MAILS_DAYS})
          order by created_at
          limit ${PRUNE_BATCH}) old
       where d.tenant_id = old.tenant_id and d.channel_id = old.channel_id and d.hash = old.hash`
    return count
  })
