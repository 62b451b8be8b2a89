// Workspaces and their users.
import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Actor } from '../caller.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Plan } from '../limits.ts'
import type { Fragment, Queryable, Tx } from '../postgres/sql.ts'
import * as store from './store.ts'

export interface NewTenant {
  name: string
  plan: Plan
  currency: string
}

export async function createTenant(
  sql: Queryable,
  input: NewTenant,
  by: Actor = { type: 'system' },
): Promise<{ id: string; name: string; plan: Plan }> {
  const id = newId('ten')
  const { name, plan, currency } = input
  await store.insertTenant(sql, id, input, {
    caller: { tenant: id, actor: by },
    action: 'tenant.create',
    subject: id,
    details: { name, plan, currency },
  })
  return { id, name, plan }
}

/** Changes what is given of a workspace. */
export const updateTenant = (sql: Queryable, tenant: string, change: store.TenantChange, by: Actor) =>
  store.update(sql, tenant, change, { caller: { tenant, actor: by }, action: 'tenant.update', subject: tenant, details: { ...change } })

/** Whether a pending order that is paid goes on to confirmed by itself. */
export const confirmsPaidOrders = (sql: Queryable, tenant: string): Promise<boolean> => store.confirmsPaidOrders(sql, tenant)

export interface NewUser {
  tenant: string
  email: string
  password: string
  role: 'admin' | 'operator'
}

export async function createUser(sql: Queryable, input: NewUser, by: Actor = { type: 'system' }): Promise<{ id: string; email: string }> {
  const id = newId('usr')
  const { tenant, email, role } = input
  const passwordHash = await hashPassword(input.password)
  const entry = { caller: { tenant, actor: by }, action: 'user.create', subject: id, details: { email, role } }
  await store.insertUser(sql, id, { tenant, email, passwordHash, role }, entry)
  return { id, email }
}

/** The tenants' own currencies, for prices without one, as a part of a statement: rows of `tenant` and `currency`. */
export const currenciesPart = (tenants: string[]): Fragment => store.currenciesPart(tenants)

export const currencyOf = (sql: Queryable, tenant: string): Promise<string> => store.currencyOf(sql, tenant)

/**
 * Locks a workspace until the transaction ends. What has a quota is counted and created under this lock, which is taken before any other. It is a
 * statement of its own, so that the statement that counts sees what was committed while it waited.
 */
export const lockTenant = (tx: Tx, tenant: string): Promise<void> => store.lock(tx, tenant)

/** The addressees of mail about the workspace itself, and its name, for an admin may have several workspaces. */
export const admins = (sql: Queryable, tenant: string): Promise<{ email: string; workspace: string }[]> => store.admins(sql, tenant)

/** @throws {OperatorError} when the workspace does not exist */
export async function requireTenant(sql: Queryable, tenant: string): Promise<void> {
  if (!(await store.tenantExists(sql, tenant)))
    throw new OperatorError(
      `--tenant is ${JSON.stringify(tenant)}, which is no workspace here; make one with: bin/shopdesk tenant create --name NAME`,
    )
}

/** Hashes with scrypt and the parameters that OWASP asks for (N = 2^17, r = 8, p = 1), which are stored with the hash so that they can be raised. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const [N, r, p] = [2 ** 17, 8, 1]
  const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number, options: object) => Promise<Buffer>
  const hash = await derive(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r })
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Whether a user belongs to the workspace. */
export const isMember = (sql: Queryable, tenant: string, user: string): Promise<boolean> => store.userExists(sql, tenant, user)
