// How long people may reply on a channel has changed: its conversations say so at once, and not only after the customer's next message.
import * as accounts from '../channels/accounts/accounts.ts'
import { replyHours } from '../channels/accounts/settings.ts'
import type { Tx } from '../postgres/sql.ts'
import * as store from './window-store.ts'

export async function windowMoved(tx: Tx, tenant: string, channel: string): Promise<void> {
  const account = await accounts.of(tx, tenant, channel)
  if (account) await store.moveWindow(tx, tenant, channel, replyHours(account.limits, account.settings).people)
}
