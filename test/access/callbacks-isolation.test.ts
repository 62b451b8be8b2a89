// Callbacks of one workspace neither reach nor change another: not by a foreign signature, and not by naming what is another's.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { folder } from '../../src/analytics/fold.ts'
import { newSecret } from '../../src/channels/accounts/accounts.ts'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import { now } from '../../src/clock.ts'
import { paymentApp } from '../payments/given.ts'
import { charge, dispute, event, intent, refund, session, signature } from '../payments/stripe-events.ts'
import type { TestTenant } from '../support/app.ts'
import { byMeta, byService, byTelegram, type Signer } from '../support/callbacks.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { ok, tell } from '../support/given.ts'

const app = await paymentApp({ env: { INBOUND_CHANNEL_LIMIT: '100000' } })

interface Source {
  path: string
  /** Signs as its platform does. */
  sign: Signer
  /** What of the workspace's callbacks from elsewhere may try to name. */
  ids: { account: string; person: string; external: string; message: string; order: string; reference: string }
}
type Body = Record<string, unknown>

const ACCOUNTS: Record<string, string> = { whatsapp: '106540352242922', facebook: '777', instagram: '888' }
const signers: Record<string, (secret: string) => Signer> = {
  telegram: byTelegram,
  whatsapp: byMeta,
  facebook: byMeta,
  instagram: byMeta,
  api: byService,
}

/** A channel of the same account and the same people in each workspace: only its id and its secret tell it from another's. */
async function aSource(name: string, shop: TestTenant): Promise<Source> {
  if (name === 'stripe' || name === 'generic') return aProvider(name, shop)
  const secret = newSecret()
  const platform = name as PlatformName
  const account = ACCOUNTS[name] ?? '42'
  const channel = await aChannel(app, shop, {
    platform,
    account: { id: account, name: null },
    settings: { api_url: 'http://127.0.0.1:9' },
    credentials: { secret, app_secret: secret, token: `42:${secret}`, verify_token: secret },
  })
  const ids = { account, person: '15550001111', external: '15550001111:1', message: '', order: '', reference: '' }
  const from = { ids: [ids.person], name: 'Ada' }
  await tell(app, shop, channel, [
    { kind: 'message', thread: ids.person, at: null, from, external_id: ids.external, said: { text: 'A secret', media: [] } },
  ])
  const [row] = await app.sql`select id from messages where tenant_id = ${shop.id}`
  return { path: `/api/channels/${channel}/callback`, sign: signers[name]?.(secret) as Signer, ids: { ...ids, message: row?.['id'] } }
}

async function aProvider(name: 'stripe' | 'generic', shop: TestTenant): Promise<Source> {
  const secret = `whsec_${newSecret().slice(6)}`
  const at = { ...(await app.provider(name, shop)), ...(name === 'stripe' && { secret }) }
  if (name === 'stripe') await restrict(at.id, shop, secret)
  const { id: order } = await app.order(at)
  const sign: Signer = raw => (name === 'stripe' ? { 'Stripe-Signature': signature(raw, secret) } : byService(at.secret)(raw))
  const ids = { account: '', person: '', external: '', message: '', order, reference: 'pi_1' }
  const source = { path: app.pathOf(at), sign, ids }
  const paid = name === 'stripe' ? event('payment_intent.succeeded', intent({ metadata: { order_id: order } })) : aPayment(ids)
  await settled(await post(source, paid, sign))
  return source
}

/** Gives a provider of Stripe a secret of its own. */
async function restrict(id: string, shop: TestTenant, secret: string): Promise<void> {
  const { change } = await import('../../src/payments/providers/providers.ts')
  const { begin } = await import('../../src/postgres/sql.ts')
  await begin(app.sql, tx => change(tx, { tenant: shop.id, actor: { type: 'cli' } }, id, { secret: [secret] }, app.keyring))
}

const aPayment = ({ order, reference }: Source['ids'], over: Body = {}): Body => ({
  id: `evt-${order}-${JSON.stringify(over)}`,
  type: 'payment.succeeded',
  order_id: order,
  reference,
  amount: 4900,
  currency: 'EUR',
  ...over,
})

async function post({ path }: Pick<Source, 'path'>, body: Body, by?: Signer) {
  const raw = JSON.stringify(body)
  const response = await fetch(app.url + path, { method: 'POST', body: raw, headers: by?.(raw) ?? {} })
  return { status: response.status, text: await response.text() }
}

/** Waits until it was applied, whatever became of it. */
async function settled({ status, text }: { status: number; text: string }): Promise<void> {
  assert.equal(status, 200, text)
  const { id } = JSON.parse(text)
  await eventually(
    async () => (await app.sql`select 1 from callbacks where id = ${id} and (status <> 'waiting' or attempts > 0)`).length > 0,
  )
}

const fold = folder()

/** Every row of the workspace, once its figures are folded: the worker does that at any time. */
async function rowsOf({ id: tenant }: TestTenant): Promise<unknown> {
  await eventually(async () => {
    await fold(app.sql)
    return (await app.sql`select 1 from analytics_differences where tenant_id = ${tenant}`).length === 0
  })
  const tables = await app.sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id' order by 1`
  assert.ok(tables.length > 30)
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      (await app.sql`select to_jsonb(t)::text as row from ${app.sql(name)} t where tenant_id = ${tenant} order by 1`).map(
        each => each['row'],
      ),
    ]),
  )
}

const seconds = () => Math.floor(now() / 1000)
const graph = (field: string, value: Body) => ({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field, value }] }] })
const number = ({ account }: Source['ids']) => ({ messaging_product: 'whatsapp', metadata: { phone_number_id: account } })
const page =
  (object: string) =>
  (ids: Source['ids'], what: Body, ours = false) => {
    const [sender, recipient] = ours ? [ids.account, ids.person] : [ids.person, ids.account]
    return {
      object,
      entry: [
        { id: ids.account, time: now(), messaging: [{ sender: { id: sender }, recipient: { id: recipient }, timestamp: now(), ...what }] },
      ],
    }
  }
const ofPage =
  (object: string) =>
  (ids: Source['ids']): Body[] => [
    page(object)(ids, { message: { mid: 'm_1', text: 'Mine', reply_to: { mid: ids.external } } }),
    page(object)(ids, { message: { mid: ids.external, is_deleted: true } }),
    page(object)(ids, { message_edit: { mid: ids.external, text: 'Changed' } }),
    page(object)(ids, { reaction: { mid: ids.external, action: 'react', reaction: 'love', emoji: '❤️' } }),
    page(object)(ids, { message: { mid: 'm_2', is_echo: true, text: 'Mine', metadata: ids.message } }, true),
    page(object)(ids, { delivery: { mids: [ids.external, ids.message], watermark: now() } }),
    page(object)(ids, { read: { watermark: now() } }),
  ]
const telegramChat = ({ person }: Source['ids']) => ({ id: Number(person), type: 'private' })
const telegramUser = ({ person }: Source['ids']) => ({ id: Number(person), is_bot: false, first_name: 'Mallory' })

/** Callbacks that name what is another workspace's: its accounts, people, messages and orders. */
const NAMING: Record<string, (ids: Source['ids']) => Body[]> = {
  telegram: ids => [
    {
      update_id: 1,
      message: {
        message_id: 2,
        date: seconds(),
        chat: telegramChat(ids),
        from: telegramUser(ids),
        text: 'Mine',
        reply_to_message: { message_id: 1, date: 1, chat: telegramChat(ids) },
      },
    },
    {
      update_id: 2,
      edited_message: {
        message_id: 1,
        date: seconds(),
        edit_date: seconds(),
        chat: telegramChat(ids),
        from: telegramUser(ids),
        text: 'Changed',
      },
    },
    {
      update_id: 3,
      message_reaction: {
        chat: telegramChat(ids),
        message_id: 1,
        user: telegramUser(ids),
        date: seconds(),
        old_reaction: [],
        new_reaction: [{ type: 'emoji', emoji: '👍' }],
      },
    },
    {
      update_id: 4,
      my_chat_member: {
        chat: telegramChat(ids),
        from: telegramUser(ids),
        date: seconds(),
        old_chat_member: { status: 'member' },
        new_chat_member: { status: 'kicked' },
      },
    },
  ],
  whatsapp: ids => [
    graph('messages', {
      ...number(ids),
      contacts: [{ profile: { name: 'Mallory' }, wa_id: ids.person }],
      messages: [
        { from: ids.person, id: 'wamid.2', timestamp: `${seconds()}`, type: 'text', text: { body: 'Mine' }, context: { id: ids.external } },
      ],
    }),
    graph('messages', {
      ...number(ids),
      messages: [
        { from: ids.person, id: 'wamid.3', timestamp: `${seconds()}`, type: 'revoke', revoke: { original_message_id: ids.external } },
      ],
    }),
    graph('messages', {
      ...number(ids),
      messages: [
        {
          from: ids.person,
          id: 'wamid.4',
          timestamp: `${seconds()}`,
          type: 'reaction',
          reaction: { message_id: ids.external, emoji: '👍' },
        },
      ],
    }),
    graph('messages', {
      ...number(ids),
      statuses: [
        {
          id: ids.external,
          status: 'failed',
          timestamp: `${seconds()}`,
          recipient_id: ids.person,
          biz_opaque_callback_data: ids.message,
          errors: [{ code: 131026, title: 'x' }],
        },
      ],
    }),
    graph('smb_message_echoes', {
      ...number(ids),
      message_echoes: [{ from: '1', to: ids.person, id: 'wamid.5', timestamp: `${seconds()}`, type: 'text', text: { body: 'Mine' } }],
    }),
  ],
  facebook: ofPage('page'),
  instagram: ofPage('instagram'),
  api: ids => [
    {
      id: 'e1',
      from: { id: ids.person, name: 'Mallory', email: 'ada@example.com', external_id: ids.person },
      text: 'Mine',
      in_reply_to: ids.message,
    },
    ...['edit', 'delete', 'reaction', 'delivered', 'read', 'failed'].map(type => ({
      id: `e-${type}`,
      type,
      from: { id: ids.person },
      message_id: ids.message,
      text: 'Changed',
      emoji: '👍',
    })),
    { id: 'e9', type: 'echo', from: { id: ids.person }, text: 'Mine', message_id: ids.message },
  ],
  stripe: ({ order }) => {
    const metadata = { order_id: order }
    return [
      event('payment_intent.succeeded', intent({ metadata })),
      event('checkout.session.completed', session({ metadata, client_reference_id: order })),
      event('charge.refunded', charge({ metadata })),
      event('refund.failed', refund({ metadata })),
      event('charge.dispute.created', dispute({ metadata })),
    ]
  },
  generic: ids => [
    aPayment(ids, { reference: 'other' }),
    aPayment(ids),
    aPayment(ids, { type: 'refund.succeeded', amount: 100, refund_id: 're_1' }),
    aPayment(ids, { type: 'payment.failed' }),
    aPayment(ids, { type: 'dispute.lost' }),
  ],
}

for (const [name, naming] of Object.entries(NAMING))
  suite(name, () => {
    test('a foreign signature is one and the same 401, and nothing is kept', async () => {
      const [theirShop, myShop] = [await app.tenant(), await app.tenant()]
      const [theirs, mine] = [await aSource(name, theirShop), await aSource(name, myShop)]
      const before = await rowsOf(theirShop)
      const answers = new Set<string>()
      for (const body of naming(theirs.ids))
        for (const by of [mine.sign, undefined]) {
          const { status, text } = await post(theirs, body, by)
          answers.add(`${status} ${JSON.stringify({ ...JSON.parse(text), trace_id: null })}`)
        }
      assert.equal(answers.size, 1, [...answers].join('\n'))
      assert.match([...answers].join(), /^401 .*invalid_signature/)
      assert.deepEqual(await rowsOf(theirShop), before)
    })

    test('a callback that names what is another workspace’s changes nothing there, and shows nothing of it', async () => {
      const [theirShop, myShop] = [await app.tenant(), await app.tenant()]
      const [theirs, mine] = [await aSource(name, theirShop), await aSource(name, myShop)]
      const before = await rowsOf(theirShop)
      for (const body of naming(theirs.ids)) {
        const reply = await post(mine, body, mine.sign)
        if (reply.status !== 422) await settled(reply)
      }
      assert.deepEqual(await rowsOf(theirShop), before)
      const done = await app.sql`select status from callbacks where tenant_id = ${myShop.id}`
      assert.ok(done.filter(each => each['status'] === 'applied').length >= 2, 'they do name something')
      const conversations = ok(await myShop.get('/api/v1/conversations')).data as { contact: { id: string } }[]
      const contacts = (await app.sql`select id from contacts where tenant_id = ${myShop.id}`).map(each => each['id'])
      for (const { contact } of conversations) assert.ok(contacts.includes(contact.id))
      const payments = ok(await myShop.get('/api/v1/payments')).data as { order_id: string | null }[]
      for (const { order_id } of payments) assert.notEqual(order_id, theirs.ids.order || 'none')
    })
  })
