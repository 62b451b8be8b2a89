// Every statement of mails.
import { MAIL_ATTEMPTS, MAIL_TIMEOUT_MS } from '../limits/mail.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits/retention.ts'
import { oldestFirst, type Prune, pruneExpired } from '../postgres/prune.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'

export interface NewMail {
  tenant: string
  /** The subject matter, e.g. webhook.disabled */
  kind: string
  to: string
  subject: string
  /** With LINK in the link's place, where there is one. */
  text: string
  link?: { url: string; minutes: number }
  /** An address at which mail programs end such mails for who gets them, by one POST. */
  unsubscribe?: string
}

/** Inserts the mail and the job that sends it, in one statement. */
export async function insert(tx: Queryable, { tenant, kind, to, subject, text, link, unsubscribe }: NewMail): Promise<void> {
  await tx`
    with made as (
      insert into mails (tenant_id, kind, recipient, subject, text, link, link_until, unsubscribe)
      values (${tenant}, ${kind}, ${to}, ${subject}, ${text}, ${link?.url ?? null}, now() + make_interval(mins => ${link?.minutes ?? null}::integer),
              ${unsubscribe ?? null})
      returning tenant_id, id
    )
    select ${addJob('mail/send', { tenantId: part`m.tenant_id`, mailId: part`m.id::text` }, { maxAttempts: MAIL_ATTEMPTS })} from made m`
}

export interface MailRow {
  id: string
  kind: string
  recipient: string
  subject: string
  text: string
  /** It has a link, or had one. */
  linked: boolean
  /** Null: it has none, or no longer. */
  link: string | null
  created_at: Date
  sent_at: Date | null
  attempts: number
  error: string | null
}

const columns = part`m.id::text as id, m.kind, m.recipient, m.subject, m.text, m.link_until is not null as linked, m.link, m.created_at, m.sent_at, m.attempts, m.error`

export async function one(sql: Queryable, tenant: string, id: string): Promise<(MailRow & { unsubscribe: string | null }) | undefined> {
  const [row] = await sql<(MailRow & { unsubscribe: string | null })[]>`
    select ${columns}, m.unsubscribe
      from mails m
     where m.tenant_id = ${tenant} and m.id = ${id}`
  return row
}

/** Begins an attempt. @param token of the sending process @returns false when the mail was sent already, or another process is sending it */
export async function claim(sql: Queryable, tenant: string, id: string, token: string): Promise<boolean> {
  const rows = await sql`
    update mails
       set attempts = attempts + 1, claimed_by = ${token}, claimed_until = clock_timestamp() + make_interval(secs => ${(2 * MAIL_TIMEOUT_MS) / 1000})
     where tenant_id = ${tenant} and id = ${id} and sent_at is null and (claimed_until is null or claimed_until < clock_timestamp())
    returning 1`
  return rows.length > 0
}

/** Ends an attempt. @param error null: the server has taken the mail */
export async function record(sql: Queryable, tenant: string, id: string, error: string | null): Promise<void> {
  await sql`
    update mails
       set claimed_until = null, claimed_by = null, error = ${error}, sent_at = case when ${error}::text is null then clock_timestamp() end,
           link = case when ${error}::text is not null then link end
     where tenant_id = ${tenant} and id = ${id} and sent_at is null`
}

/** For links that are dead. @param tenants in which such a mail to this address may have been queued */
export async function emptyLinks(sql: Queryable, tenants: string[], kind: string, to: string): Promise<void> {
  await sql`
    update mails
       set link = null
     where tenant_id = any(${tenants}::text[]) and kind = ${kind} and recipient = ${to} and link is not null`
}

/** For links that are too old. */
export const emptyOldLinks: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      update mails m
         set link = null
       from (
         select o.tenant_id, o.id
           from mails o
          where o.link is not null and o.link_until < now()
          order by o.link_until
          limit ${PRUNE_BATCH}
            for update skip locked) old
       where m.tenant_id = old.tenant_id and m.id = old.id`
    return count
  })

/** A workspace's mails, the latest first. */
export async function list(sql: Queryable, tenant: string, limit: number): Promise<MailRow[]> {
  return sql<MailRow[]>`
    select ${columns}
      from mails m
     where m.tenant_id = ${tenant}
     order by m.id desc
     limit ${limit}`
}

export const prune = pruneExpired({
  table: 'mails',
  key: ['tenant_id', 'id'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})
