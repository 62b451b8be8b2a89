// Workspaces and the people in them.
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

/** The tenants' own currencies, for what is priced without one, as a part of a statement: rows of `tenant` and `currency`. */
export const currenciesPart = (tenants: string[]): Fragment => store.currenciesPart(tenants)

export const currencyOf = (sql: Queryable, tenant: string): Promise<string> => store.currencyOf(sql, tenant)

/**
 * Until the transaction's end another that does so waits. What a workspace may have only so many of is counted and made under this lock, which is
 * taken before any other. A statement of its own: the one that counts sees what was committed meanwhile.
 */
export const lockTenant = (tx: Tx, tenant: string): Promise<void> => store.lock(tx, tenant)

/** Whom mail about the workspace itself goes to, and its name, for they may have several. */
export const admins = (sql: Queryable, tenant: string): Promise<{ email: string; workspace: string }[]> => store.admins(sql, tenant)

/** @throws {OperatorError} for the operator who named a workspace that does not exist */
export async function requireTenant(sql: Queryable, tenant: string): Promise<void> {
  if (!(await store.tenantExists(sql, tenant)))
    throw new OperatorError(
      `--tenant is ${JSON.stringify(tenant)}, which is no workspace here; make one with: bin/shopdesk tenant create --name NAME`,
    )
}

/** scrypt with the parameters OWASP asks for (N = 2^17, r = 8, p = 1), written beside the hash so that they can be raised. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const [N, r, p] = [2 ** 17, 8, 1]
  const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number, options: object) => Promise<Buffer>
  const hash = await derive(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r })
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}
