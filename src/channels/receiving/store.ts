// Every statement of receiving: whose callbacks these are, what is noted of the channel, and the work that is left.
import { part, type Queryable, type Tx } from '../../postgres/sql.ts'
import { addJob } from '../../queue/jobs.ts'
import type { PlatformName } from '../platforms/names.ts'

export interface Source {
  tenant: string
  id: string
  platform: PlatformName
  /** Encrypted. */
  credentials: string
  /** Encrypted; null once it counts no more. */
  previous_secret: string | null
}

/** Of all workspaces: a callback names its channel alone. Web chat's visitors come in by routes of their own. */
export const findSources = (sql: Queryable, ids: string[]): Promise<Source[]> => sql<Source[]>`
  select c.tenant_id as tenant, c.id, c.platform, c.credentials,
         case when c.previous_secret_until > now() then c.previous_secret end as previous_secret
    from channels c
   where c.id = any (${ids}::text[]) and c.status <> 'deleted' and c.platform <> 'web'`

export interface Sibling {
  id: string
  account_id: string
  /** Encrypted. */
  credentials: string
}

/** The channels of these accounts. */
export const findByAccounts = (tx: Queryable, tenant: string, platform: PlatformName, accounts: string[]): Promise<Sibling[]> => tx<
  Sibling[]
>`
  select c.id, c.account_id, c.credentials
    from channels c
   where c.tenant_id = ${tenant} and c.platform = ${platform} and c.account_id = any (${accounts}::text[]) and c.status <> 'deleted'`

/** Sent at once, so that what follows goes out with it. Who sends holds the row for a moment now and then; the next callback notes it as well. */
export function noteInbound(tx: Tx, tenant: string, id: string): Promise<unknown> {
  return tx`
    update channels
       set last_inbound_at = now()
     where tenant_id = ${tenant} and id in (
       select c.id
         from channels c
        where c.tenant_id = ${tenant} and c.id = ${id} and (c.last_inbound_at is null or c.last_inbound_at < now() - interval '1 second')
          for no key update skip locked)`.execute()
}

/** Has people asked for by their names, after the commit. @param people their ids on the channel */
export async function queueNames(tx: Tx, tenant: string, channel: string, people: string[]): Promise<void> {
  const payload = { tenantId: part`${tenant}::text`, channelId: part`${channel}::text`, people: part`${people}::text[]` }
  await tx`select ${addJob('channels/names', payload)}`
}

/** Has pressed buttons answered, after the commit. @param queries Telegram's ids of them */
export async function queueAnswers(tx: Tx, tenant: string, channel: string, queries: string[]): Promise<void> {
  const payload = { tenantId: part`${tenant}::text`, channelId: part`${channel}::text`, queries: part`${queries}::text[]` }
  await tx`select ${addJob('channels/answer', payload)}`
}
