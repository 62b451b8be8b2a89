// Callbacks for other accounts of the same app: Meta sends all of an app's to one address. They are kept for the channel of their account, whose own turn
// applies them: so a disabled channel's wait, and two turns never apply one channel's at once.
import * as callbacks from '../../callbacks/callbacks.ts'
import type { Outcome, Waiting } from '../../callbacks/kind.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../postgres/sql.ts'
import { equalSecrets } from '../../secrets.ts'
import type { Account } from '../accounts/accounts.ts'
import { open } from '../accounts/credentials.ts'
import { findSealed } from '../accounts/store.ts'
import { only } from '../platforms/graph/only.ts'
import type { Reading } from '../platforms/platform.ts'
import type { ReceivingContext } from './secrets.ts'
import * as store from './store.ts'

interface Foreign extends Reading {
  callback: number
}

/** @param foreign updates of other accounts @returns for each callback and account what became of it */
export async function handOn(
  tx: Tx,
  caller: Caller,
  channel: Account,
  waiting: Waiting[],
  foreign: Foreign[],
  { keyring }: ReceivingContext,
): Promise<(readonly [callback: number, outcome: Outcome])[]> {
  if (foreign.length === 0) return []
  const accounts = [...new Set(foreign.map(each => each.account as string))]
  const siblings = await siblingsOf(tx, caller, channel, accounts, keyring)
  const pairs = new Map(foreign.map(({ callback, account }) => [`${callback} ${account}`, { callback, account: account as string }]))
  const kept = [...pairs.values()].flatMap(({ callback, account }) => {
    const source = siblings.get(account)
    const text = JSON.stringify(only((waiting[callback] as Waiting).value, account))
    return source === undefined ? [] : [{ source: { tenant: caller.tenant, id: source }, text }]
  })
  await callbacks.keepIn(tx, kept)
  return [...pairs.values()].map(({ callback, account }) => [callback, outcomeOf(channel, account, siblings.get(account))] as const)
}

/** The channels of these accounts whose app is the same: its secret has signed the callback. */
async function siblingsOf(
  tx: Tx,
  { tenant }: Caller,
  channel: Account,
  accounts: string[],
  keyring: ReceivingContext['keyring'],
): Promise<Map<string, string>> {
  const found = await store.findByAccounts(tx, tenant, channel.platform, accounts)
  const own = found.length > 0 ? await findSealed(tx, tenant, channel.id) : undefined
  if (!own) return new Map()
  const secret = open(keyring, tenant, channel.id, own.credentials).app_secret ?? ''
  const isSame = ({ id, credentials }: store.Sibling) => equalSecrets(open(keyring, tenant, id, credentials).app_secret ?? '', secret)
  return new Map(found.filter(isSame).map(each => [each.account_id, each.id]))
}

function outcomeOf({ status }: Account, account: string, sibling: string | undefined): Outcome {
  if (sibling !== undefined) return { status: 'ignored', reason: `of the account ${account}, handed on to ${sibling}` }
  // A deleted one has no secret any more by which the channels of its app could be told.
  const why = status === 'deleted' ? 'and the channel that it came to is deleted' : 'which is no channel of this app here'
  return { status: 'ignored', reason: `of the account ${account}, ${why}` }
}
