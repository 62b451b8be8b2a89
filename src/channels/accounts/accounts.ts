// Channels as the accounts they are: what other nouns ask of one, and the verbs that change it.
import { randomBytes } from 'node:crypto'
import * as callbacks from '../../callbacks/callbacks.ts'
import type { Caller } from '../../caller.ts'
import { newId } from '../../ids.ts'
import { audit } from '../../postgres/audit.ts'
import { gathered } from '../../postgres/side-by-side.ts'
import type { Queryable, Tx } from '../../postgres/sql.ts'
import type { Keyring } from '../../secrets.ts'
import { LIMITS, type Limits } from '../platforms/limits.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Credentials } from '../platforms/platform.ts'
import { seal } from './credentials.ts'
import { REOPEN_HOURS, type Settings } from './settings.ts'
import * as store from './store.ts'

/** What conversations and sending ask of a channel. */
export interface Account extends store.Row {
  limits: Limits
}

/** @returns undefined where the workspace has no such channel; a deleted one is still told, as `deleted` */
export async function of(sql: Queryable, tenant: string, id: string): Promise<Account | undefined> {
  const row = await find(sql, { tenant, id })
  return row && asAccount(row)
}

const find = gathered(store.findAll)

/** A channel, as a part of a statement: a row for `asAccount`. */
export const part = store.one
export type AccountRow = store.Row
export const asAccount = (row: store.Row): Account => ({ ...row, limits: LIMITS[row.platform] ?? LIMITS.api })

export interface NewAccount {
  platform: PlatformName
  name: string
  /** Who it is on the platform, where the platform has accounts. */
  account?: { id: string; name: string | null }
  settings?: Partial<Settings>
  credentials: Credentials
}

/** Adds a channel as it is told: nothing is asked of its platform. @returns its id */
export async function add(tx: Tx, caller: Caller, input: NewAccount, keyring: Keyring): Promise<string> {
  const id = newId('chn')
  await store.insert(tx, caller.tenant, {
    id,
    platform: input.platform,
    name: input.name,
    account_id: input.account?.id ?? null,
    account_name: input.account?.name ?? null,
    settings: { reopen_hours: REOPEN_HOURS, ...input.settings },
    credentials: seal(keyring, caller.tenant, id, input.credentials),
  })
  await callbacks.openSource(tx, { tenant: caller.tenant, id }, 'channel')
  await audit(tx, caller, 'channel.create', id, { platform: input.platform, name: input.name })
  return id
}

/** Points a channel of our own making, the demo's, at another address; nothing checks it. */
export const sendTo = (tx: Tx, tenant: string, id: string, url: string): Promise<void> => store.sendTo(tx, tenant, id, url)

/** @returns a secret of our making: `whsec_` and 64 hex digits of 32 random bytes */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`
