// Channels for tests, made without asking a platform.
import type { NewAccount } from '../../src/channels/accounts/accounts.ts'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { TestApp } from './app.ts'

/** @returns the id of a channel of the workspace; of platform `api` unless told otherwise */
export const aChannel = (app: Pick<TestApp, 'sql' | 'keyring'>, { id }: { id: string }, over: Partial<NewAccount> = {}): Promise<string> =>
  begin(app.sql, tx =>
    accounts.add(
      tx,
      { tenant: id, actor: { type: 'system' } },
      { platform: 'api', name: 'A channel', credentials: { secret: accounts.newSecret() }, ...over },
      app.keyring,
    ),
  )
