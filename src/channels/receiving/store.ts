// Every statement of receiving: whose callbacks these are, what is noted of the channel, and the work that is left.
import type { Ref } from '../../ids.ts'
import { columns } from '../../postgres/row-set.ts'
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

/** Channels of all workspaces: a callback names its channel alone. Web chat's visitors come in by routes of their own. */
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

const REF = columns({ tenant_id: 'text', id: 'text' })

/** Sent at once, so that what follows goes out with it. A turn that sends holds the row for a moment now and then; the next callback notes it as well. */
export function noteInbound(tx: Tx, channels: Ref[]): Promise<unknown> {
  return tx`
    update channels u
       set last_inbound_at = now()
      from ${REF.of(channels.map(({ tenant, id }) => ({ tenant_id: tenant, id })))}
     cross join lateral (
       select c.tenant_id, c.id
         from channels c
        where c.tenant_id = r.tenant_id and c.id = r.id and (c.last_inbound_at is null or c.last_inbound_at < now() - interval '1 second')
          for no key update skip locked) c
     where u.tenant_id = c.tenant_id and u.id = c.id`.execute()
}

/** Has people asked for by their names, after the commit. @param people their ids on the channel */
export async function queueNames(tx: Queryable, channel: Ref, people: string[], afterSeconds = 0): Promise<void> {
  await tx`select ${addJob('channels/names', { ...of(channel), people: part`${people}::text[]` }, { after: seconds(afterSeconds) })}`
}

/** Has pressed buttons answered, after the commit. @param queries Telegram's ids of them */
export async function queueAnswers(tx: Queryable, channel: Ref, queries: string[], afterSeconds = 0): Promise<void> {
  await tx`select ${addJob('channels/answer', { ...of(channel), queries: part`${queries}::text[]` }, { after: seconds(afterSeconds) })}`
}

const of = ({ tenant, id }: Ref) => ({ tenantId: part`${tenant}::text`, channelId: part`${id}::text` })
const seconds = (after: number) => part`make_interval(secs => ${after})`
