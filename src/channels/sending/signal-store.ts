// Statements of what a customer is shown of us besides messages.
import type { Ref } from '../../ids.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { addJob } from '../../queue/jobs.ts'
import type { Settings } from '../accounts/settings.ts'
import type { PlatformName } from '../platforms/names.ts'

export type Signal = 'typing' | 'read'

export interface Signalled {
  channel: Ref
  conversation: string
  signal: Signal
  /** ISO 8601 */
  at: string
}

/** Adds the job; it is part of the transaction. */
export async function queue(tx: Queryable, { channel, conversation, signal, at }: Signalled, afterSeconds = 0): Promise<void> {
  const payload = {
    tenantId: part`${channel.tenant}::text`,
    channelId: part`${channel.id}::text`,
    conversationId: part`${conversation}::text`,
    signal: part`${signal}::text`,
    at: part`${at}::text`,
  }
  // What is shown late is better not shown: before all else.
  await tx`select ${addJob('channels/signal', payload, { priority: -1, after: part`make_interval(secs => ${afterSeconds})` })}`
}

export interface Row {
  platform: PlatformName
  account_id: string | null
  settings: Settings
  /** Encrypted. */
  credentials: string | null
  thread: string
  /** The platform's id of the customer's last message. */
  last: string | null
}

/** The account that a conversation runs over, as long as it may be sent through. */
export async function find(sql: Queryable, tenant: string, channel: string, conversation: string): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    select c.platform, c.account_id, c.settings, c.credentials, v.thread,
           (select m.external_id
              from messages m
             where m.tenant_id = ${tenant} and m.conversation_id = v.id and m.status = 'received'
             order by m.created_at desc, m.id desc
             limit 1) as last
      from channels c
      join conversations v on v.tenant_id = ${tenant} and v.channel_id = c.id and v.id = ${conversation}
     where c.tenant_id = ${tenant} and c.id = ${channel} and c.status = 'enabled'`
  return row
}
