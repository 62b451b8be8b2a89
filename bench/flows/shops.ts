// Workspaces with one flow of a condition and three local steps, and the same effects by the verbs that its steps call.
import { randomBytes } from 'node:crypto'
import { loadConfig } from '../../src/config.ts'
import { createAll, tag } from '../../src/contacts/contacts.ts'
import { notify } from '../../src/notifications/notifications.ts'
import { begin, type Sql, type Tx } from '../../src/postgres/sql.ts'
import { create } from '../../src/records/records.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { aManifest, installApp } from '../../test/support/apps.ts'
import { SECRET_KEY } from '../dataset.ts'

export interface Shop {
  tenant: string
  app: { id: string; app_id: string; name: string }
}

/** What installing needs of its process. */
export const installing = (sql: Sql) => ({
  sql,
  keyring: parseKeyring(SECRET_KEY) as Keyring,
  config: { outbound: loadConfig({}).outbound } as never,
})

export async function aShop(sql: Sql): Promise<Shop> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const manifest = aManifest({
    scopes: ['subscribe:contact.created', 'notify:team', 'read:records', 'write:records', 'write:contacts'],
    resources: [{ id: 'points', name: 'Points', fields: [{ name: 'points', type: 'number' }] }],
    flows: [
      {
        id: 'welcome',
        name: 'Welcome',
        trigger: 'contact.created',
        conditions: [{ field: 'event.contact.blocked', op: 'eq', value: false }],
        steps: [
          { id: 'tell', type: 'notify', title: 'A contact', body: '{{event.contact_id}}' },
          { id: 'keep', type: 'create_record', resource: 'points', values: { points: 12 }, external_id: '{{event.contact_id}}' },
          { id: 'tag', type: 'tag_contact', tag: 'new' },
        ],
      },
    ],
  })
  const app = await installApp(installing(sql), { id: tenant }, manifest)
  return { tenant, app: { id: app.id, app_id: app.app_id, name: app.name } }
}

/** @param silent without events, so that no flow begins @returns their ids */
export const contacts = (sql: Sql, shop: Shop, count: number, silent = false): Promise<string[]> =>
  begin(sql, tx => contactsIn(tx, shop, count, silent))

export async function contactsIn(tx: Tx, { tenant }: Shop, count: number, silent = false): Promise<string[]> {
  const names = Array.from({ length: count }, () => ({ name: randomBytes(8).toString('hex') }))
  const made = await createAll(tx, { tenant, actor: { type: 'system' }, silent }, names)
  return made.map(each => (each as { id: string }).id)
}

/** What each step does, in its order. */
export const EFFECTS: ((tx: Tx, shop: Shop, contact: string) => Promise<unknown>)[] = [
  (tx, shop, contact) => notify(tx, callerOf(shop), { app: shop.app, title: 'A contact', body: contact, level: 'info' }),
  (tx, shop, contact) =>
    create(tx, callerOf(shop), `${shop.app.app_id}:points`, {
      values: { points: 12 },
      external_id: contact,
      links: [{ target: 'builtin:contact', id: contact }],
    }),
  (tx, shop, contact) => tag(tx, callerOf(shop), contact, 'new'),
]

const callerOf = ({ tenant, app }: Shop) => ({ tenant, actor: { type: 'app' as const, id: app.id } })
