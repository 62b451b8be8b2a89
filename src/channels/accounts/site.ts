// A channel of web chat, as the requests of its visitors find it: by its id alone, for a visitor has no workspace.
import type { Ref } from '../../ids.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { decrypt, type Keyring } from '../../secrets.ts'
import { open, previousBinding } from './credentials.ts'
import type { Settings } from './settings.ts'
import * as store from './site-store.ts'

export interface Site extends Ref {
  name: string
  /** What is said to a disabled chat waits until it is enabled. */
  status: 'enabled' | 'disabled' | 'failing'
  settings: Settings
  /** What signs identities: the present secret, and the one before for a day after a rotation. */
  secrets: string[]
}

/** Those of the ids that are channels of web chat, in any order. */
export const sites = async (sql: Queryable, ids: string[], keyring: Keyring): Promise<Site[]> =>
  (await store.find(sql, ids)).map(({ tenant_id: tenant, credentials, previous_secret, ...site }) => {
    const { secret } = open(keyring, tenant, site.id, credentials)
    const before = previous_secret === null ? undefined : decrypt(keyring, previous_secret, previousBinding(tenant, site.id))
    return { ...site, tenant, secrets: [secret, before].filter(each => each !== undefined) }
  })
