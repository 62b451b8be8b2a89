// Callbacks of channels, for src/callbacks/: verified by the platform's own signature, read by its reader, applied by conversations.
import type { Kind } from '../../callbacks/kind.ts'
import { invalid } from '../../problems.ts'
import * as accounts from '../accounts/accounts.ts'
import { errorsOf } from '../platforms/api/check.ts'
import { challenge } from '../platforms/graph/verify.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Credentials } from '../platforms/platform.ts'
import { PLATFORMS } from '../platforms/platforms.ts'
import { apply } from './apply.ts'
import { threadsOf } from './readings.ts'
import { type ReceivingContext, secretsOf } from './secrets.ts'
import * as store from './store.ts'

interface Source {
  tenant: string
  id: string
  platform: PlatformName
  secrets: Credentials[]
}

export const channelKind = (context: ReceivingContext): Kind<Source, accounts.Account> => ({
  name: 'channel',
  prefix: 'chn',
  path: '/api/channels/{id}/callback',
  async find(sql, ids) {
    const found = await store.findSources(sql, ids)
    return found.map(each => ({
      tenant: each.tenant,
      id: each.id,
      platform: each.platform,
      secrets: secretsOf(context.keyring, each),
    }))
  },
  verify: ({ platform, secrets }, signed, now) => PLATFORMS[platform].verify(signed, secrets, now),
  check({ platform }, value) {
    const errors = platform === 'api' ? errorsOf(value) : []
    if (errors.length > 0) throw invalid(errors)
  },
  greet: ({ secrets }, query) => challenge(query, secrets),
  threads: threadsOf,
  sharesTurns: true,
  async know(tx, { tenant, id }) {
    const channel = await accounts.of(tx, tenant, id)
    if (!channel) throw new Error(`callbacks of ${id}, which is no channel`)
    return channel
  },
  apply: (tx, caller, _source, callbacks, channel) => apply(tx, caller, channel, callbacks, context),
})
