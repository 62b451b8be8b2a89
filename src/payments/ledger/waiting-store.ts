// Every statement of what providers told before its time, and of which of their events were taken.
import type { Ref } from '../../ids.ts'
import { PAYMENT_EVENTS_DAYS } from '../../limits/payments.ts'
import { iso } from '../../postgres/page.ts'
import { pruneExpired } from '../../postgres/prune.ts'
import { arrayText, columns } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../../postgres/sql.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import type { Key } from './store.ts'

/** An update that waits for another. */
export interface Waiting {
  update: PaymentUpdate
  /** ISO 8601: then it is taken as things are. */
  until: string
}

const asWaiting = (rows: { body: string; until: string }[]): Waiting[] =>
  rows.map(({ body, until }) => ({ update: JSON.parse(body) as PaymentUpdate, until }))

const waiting = part`w.body, ${iso(part`w.until`)} as until`

/** Locks what waits for payments with any of these names. */
export const lockOfKeys = async (tx: Tx, tenant: string, provider: string, keys: Key[], limit: number): Promise<Waiting[]> => {
  const names = (of: (key: Key) => string | null) => part`${arrayText(keys.map(of).filter(each => each !== null))}::text::text[]`
  return asWaiting(
    await tx<{ body: string; until: string }[]>`
    select ${waiting}
      from payment_updates_waiting w
     where w.tenant_id = ${tenant} and w.provider_id = ${provider}
       and w.event_id = any(array(
             select event_id from payment_updates_waiting
              where tenant_id = ${tenant} and provider_id = ${provider} and reference = any(${names(key => key.reference)})
             union
             select event_id from payment_updates_waiting
              where tenant_id = ${tenant} and provider_id = ${provider} and charge is not null and charge = any(${names(key => key.charge)})))
     order by w.event_id
     limit ${limit}
       for update of w`,
  )
}

/** The provider whose update has waited for too long, the longest first. */
export async function nextOverdue(sql: Queryable, except: string[]): Promise<Ref | undefined> {
  const [row] = await sql<Ref[]>`
    select tenant_id as tenant, provider_id as id
      from payment_updates_waiting
     where until <= now() and provider_id <> all(${arrayText(except)}::text::text[])
     order by until
     limit 1`
  return row
}

/** Locks what of this provider has waited for too long; what another transaction takes at this moment is left to it. */
export const lockOverdue = async (tx: Tx, tenant: string, provider: string, limit: number): Promise<Waiting[]> =>
  asWaiting(
    await tx<{ body: string; until: string }[]>`
    select ${waiting}
      from payment_updates_waiting w
     where w.tenant_id = ${tenant} and w.provider_id = ${provider} and w.until <= now()
     order by w.until, w.event_id
     limit ${limit}
       for update skip locked`,
  )

/** Lets updates wait, or wait until another time. */
export async function keepAll(tx: Tx, tenant: string, provider: string, all: Waiting[]): Promise<void> {
  const rows = all.map(({ update, until }) => {
    const { event_id, reference, charge } = update
    return { tenant_id: tenant, provider_id: provider, event_id, reference, charge, body: JSON.stringify(update), until }
  })
  await tx`
    insert into payment_updates_waiting (${WAITING.names})
    select ${WAITING.names} from ${WAITING.of(rows)}
    on conflict (tenant_id, provider_id, event_id) do update set until = excluded.until`
}

const WAITING = columns({
  tenant_id: 'text',
  provider_id: 'text',
  event_id: 'text',
  reference: 'text',
  charge: 'text',
  body: 'json',
  until: 'timestamptz',
})

/** They wait no longer, as a part of a statement. */
export const dropAll = (tenant: string, provider: string, events: string[]): Fragment => part`
  delete from payment_updates_waiting
   where tenant_id = ${tenant} and provider_id = ${provider} and event_id = any(${arrayText(events)}::text::text[])`

/** Marks events as taken. @returns those that were not yet */
export async function take(tx: Tx, tenant: string, provider: string, events: string[]): Promise<Set<string>> {
  if (events.length === 0) return new Set()
  const rows = await tx<{ event_id: string }[]>`
    insert into payment_events_taken (tenant_id, provider_id, event_id)
    select ${tenant}, ${provider}, e from unnest(${arrayText([...new Set(events)].sort())}::text::text[]) e
    on conflict do nothing
    returning event_id`
  return new Set(rows.map(row => row.event_id))
}

export const pruneTaken = pruneExpired({
  table: 'payment_events_taken',
  key: ['tenant_id', 'provider_id', 'event_id'],
  by: 'taken_at',
  expired: part`o.taken_at < now() - make_interval(days => ${PAYMENT_EVENTS_DAYS})`,
})
