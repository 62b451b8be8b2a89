// Shops with channels of the generic format, and what their customers write.
import { createKey } from '../../src/access/keys.ts'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import type { Ref } from '../../src/ids.ts'
import { signWebhook } from '../../src/outbound/sign.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { SECRET_KEY } from '../dataset.ts'
import type { Environment } from '../environment.ts'

export interface Channel extends Ref {
  secret: string
}

export interface Shop {
  tenant: string
  key: string
  channels: Channel[]
}

export async function makeShops({ db: { sql } }: Environment, shops: number, channelsOfShop: number): Promise<Shop[]> {
  const keyring = parseKeyring(SECRET_KEY) as Keyring
  const made: Shop[] = []
  for (let n = 0; n < shops; n++) {
    const { id: tenant } = await createTenant(sql, { name: `Shop ${n}`, plan: 'enterprise', currency: 'EUR' })
    const { key } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read'] })
    const channels: Channel[] = []
    for (let i = 0; i < channelsOfShop; i++) {
      const secret = accounts.newSecret()
      const add = { platform: 'api', name: `Channel ${i}`, credentials: { secret } } as const
      const id = await begin(sql, tx => accounts.add(tx, { tenant, actor: { type: 'system' } }, add, keyring))
      channels.push({ tenant, id, secret })
    }
    made.push({ tenant, key, channels })
  }
  return made
}

/** A customer's message, about as long as most are. @param n of the message: no other has it */
export const said = (n: number, customer: number): string =>
  JSON.stringify({
    id: `m${n}`,
    from: { id: `c${customer}`, name: `Customer ${customer}` },
    text: `Message ${n}: do you have the linen shirt in size M, and when could it be here?`,
    timestamp: new Date().toISOString(),
  })

/** The request that brings it, signed at this moment. */
export function callbackRequest({ id, secret }: Channel, body: string): Buffer {
  const signature = signWebhook([secret], Math.floor(Date.now() / 1000), body)
  return Buffer.from(
    `POST /api/channels/${id}/callback HTTP/1.1\r\nHost: bench\r\nX-Service-Signature: ${signature}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

export const webSettings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  INBOUND_CHANNEL_LIMIT: '1000000',
  CONNECTIONS_PER_ADDRESS: '100000',
  CONNECTIONS_MAX: '100000',
})
