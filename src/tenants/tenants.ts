// Workspaces.
import type { Actor, Caller } from '../caller.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Plan } from '../limits/rate.ts'
import type { Fragment, Queryable, Tx } from '../postgres/sql.ts'
import * as store from './store.ts'

export interface NewTenant {
  name: string
  plan: Plan
  currency: string
  /** An IANA name; UTC unless given. */
  timeZone?: string
}

export async function createTenant(
  sql: Queryable,
  input: NewTenant,
  by: Actor = { type: 'system' },
): Promise<{ id: string; name: string; plan: Plan }> {
  const id = newId('ten')
  const { name, plan, currency, timeZone = 'UTC' } = input
  await store.insertTenant(
    sql,
    id,
    { name, plan, currency, timeZone },
    { caller: { tenant: id, actor: by }, action: 'tenant.create', subject: id, details: { name, plan, currency, time_zone: timeZone } },
  )
  return { id, name, plan }
}

/** Changes what is given of a workspace. */
export const updateTenant = (sql: Queryable, caller: Caller, change: store.TenantChange) =>
  store.update(sql, caller.tenant, change, { caller, action: 'tenant.update', subject: caller.tenant, details: { ...change } })

/** What a workspace is called. */
export const nameOfTenant = (sql: Queryable, tenant: string): Promise<string> => store.nameOf(sql, tenant)

/** An IANA name. */
export const timeZoneOf = (sql: Queryable, tenant: string): Promise<string> => store.timeZoneOf(sql, tenant)

/** The same of several workspaces. */
export const timeZonesOf = (sql: Queryable, tenants: string[]): Promise<Map<string, string>> =>
  store.timeZonesOf(sql, [...new Set(tenants)])

/** Whether a pending order that is paid goes on to confirmed by itself. */
export const confirmsPaidOrders = (sql: Queryable, tenant: string): Promise<boolean> => store.confirmsPaidOrders(sql, tenant)

/** The tenants' own currencies, for prices without one, as a part of a statement: rows of `tenant` and `currency`. */
export const currenciesPart = (tenants: string[]): Fragment => store.currenciesPart(tenants)

export const currencyOf = (sql: Queryable, tenant: string): Promise<string> => store.currencyOf(sql, tenant)

/** What a workspace is called, and what it counts in. */
export const introduction = (sql: Queryable, tenant: string): Promise<store.Introduction> => store.introduction(sql, tenant)

/**
 * Locks a workspace until the transaction ends. What has a quota is counted and created under this lock, which is taken before any other. It is a
 * statement of its own, so that the statement that counts sees what was committed while it waited.
 */
export const lockTenant = (tx: Tx, tenant: string): Promise<void> => store.lock(tx, tenant)

/** @throws {OperatorError} when the workspace does not exist */
export async function requireTenant(sql: Queryable, tenant: string): Promise<void> {
  if (!(await store.tenantExists(sql, tenant)))
    throw new OperatorError(
      `--tenant is ${JSON.stringify(tenant)}, which is no workspace here; make one with: bin/shopdesk tenant create --name NAME`,
    )
}
