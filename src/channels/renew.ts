// Renews the token of an account that is connected by Instagram's own login. Best effort: a token lives for 60 days and is renewed every week, so that
// there are many more attempts.

import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import { audit } from '../postgres/audit.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { open, seal } from './accounts/credentials.ts'
import * as store from './accounts/store.ts'
import { type ChannelContext, joiningOf, renewedToken } from './joining.ts'

export type RenewContext = Pick<ChannelContext, 'keyring' | 'client'> & { sql: Sql }

export async function renew(context: RenewContext, { tenant, id }: Ref): Promise<void> {
  const row = await store.findSealed(context.sql, tenant, id)
  if (!row) return
  const joining = joiningOf(tenant, row, context)
  const told = await renewedToken(tenant, joining, context)
  if (told.refused !== undefined) return store.noteError(context.sql, tenant, id, `The token could not be renewed. ${told.refused}`)
  await begin(context.sql, async tx => {
    const current = await store.lock(tx, tenant, id)
    if (!current) return
    const credentials = open(context.keyring, tenant, id, current.credentials)
    // Another was given meanwhile.
    if (credentials.token !== joining.credentials.token) return
    await store.replaceToken(tx, tenant, id, seal(context.keyring, tenant, id, { ...credentials, token: told.value }), new Date(now()))
    await audit(tx, { tenant, actor: { type: 'system' } }, 'channel.renew_token', id)
  })
}
