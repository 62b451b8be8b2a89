// Apps for tests: the smallest manifest, and what is installed of one.

import { type Accepted, install, type Wanted } from '../../src/apps/install.ts'
import * as installed from '../../src/apps/installed.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import type { Credential } from '../../src/apps/schema.ts'
import type { Caller } from '../../src/caller.ts'
import { eventTypes } from '../../src/catalog.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { TestApp } from './app.ts'

export const aManifest = (over: Partial<Manifest> = {}): Manifest => ({
  manifestVersion: 1,
  id: 'acme:loyalty',
  version: '1.0.0',
  name: 'Loyalty',
  author: 'Acme Ltd',
  scopes: [],
  ...over,
})

/** An app with one of everything. */
export const fullManifest: Manifest = aManifest({
  description: 'Points for orders.',
  scopes: ['read:contacts', 'read:records', 'write:records', 'notify:team', 'subscribe:order.paid'],
  resources: [
    {
      id: 'points',
      name: 'Points',
      fields: [
        { name: 'amount', type: 'number', required: true },
        { name: 'reason', type: 'string' },
        { name: 'tier', type: 'enum', enumValues: ['gold', 'silver'] },
        { name: 'valid_until', type: 'date' },
        { name: 'confirmed', type: 'boolean' },
      ],
      relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
      exposeToAi: true,
    },
  ],
  skills: [
    {
      id: 'balance',
      name: 'Balance',
      description: 'Tells how many points a customer has.',
      endpoint: 'https://loyalty.example/balance',
      inputSchema: { type: 'object', properties: { customer: { type: 'string' } }, required: ['customer'] },
    },
  ],
  views: [{ id: 'tab', name: 'Points', target: 'contact.tabs', component: 'list:points' }],
  knowledge: [{ id: 'rules', title: 'How points work', content: 'A point for each euro.' }],
  config: [
    { key: 'rate', type: 'number', description: 'Points for a euro.' },
    { key: 'api_key', type: 'secret' },
  ],
  flows: [
    {
      id: 'award',
      name: 'Award points',
      trigger: 'order.paid',
      steps: [{ id: 'tell', type: 'notify', title: 'Points', body: 'An order is paid.' }],
    },
  ],
})

/** As the command line. @returns what came of it, a refusal too */
export const tryInstall = (
  { sql, keyring, config }: Pick<TestApp, 'sql' | 'keyring' | 'config'>,
  { id: tenant }: { id: string },
  manifest: unknown,
  { caller = { tenant, actor: { type: 'cli' } }, ...over }: Partial<Omit<Wanted, 'manifest'>> & { caller?: Caller } = {},
) => begin(sql, tx => install(tx, caller, { manifest, ...over }, { keyring, triggers: eventTypes, outbound: config.outbound }))

/** @param over settings, a credential, and what else goes with an install */
export async function installApp(
  app: Pick<TestApp, 'sql' | 'keyring' | 'config'>,
  shop: { id: string },
  manifest: Manifest,
  over: Partial<Omit<Wanted, 'manifest'>> = {},
): Promise<installed.Installed> {
  const made = await tryInstall(app, shop, manifest, over)
  if (!made.ok) throw new Error(`the app of a test was refused: ${JSON.stringify(made.errors)}`)
  return (made satisfies Accepted).app
}

/** What its service is called with. */
export async function credentialOf(
  { sql, keyring }: Pick<TestApp, 'sql' | 'keyring'>,
  shop: { id: string },
  id: string,
): Promise<Credential> {
  const callable = (await installed.callableApp(sql, shop.id, id, true)) as installed.Callable
  const confided = await installed.confidedTo(sql, keyring, callable)
  return (confided as installed.Confided).credential
}
