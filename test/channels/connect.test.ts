// Connecting accounts, against a server that answers as the platforms do.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { open } from '../../src/channels/accounts/credentials.ts'
import { queueRenewals } from '../../src/channels/accounts/renewal-store.ts'
import type { ChannelChange, NewChannel } from '../../src/channels/accounts/schema.ts'
import * as channels from '../../src/channels/channels.ts'
import * as connection from '../../src/channels/connection.ts'
import type { ChannelContext } from '../../src/channels/joining.ts'
import { renew } from '../../src/channels/renew.ts'
import * as status from '../../src/channels/status.ts'
import { createClient } from '../../src/outbound/client.ts'
import { Problem } from '../../src/problems.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { command } from '../support/command.ts'
import { nobody } from '../support/given.ts'
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { talkOn } from '../support/talks.ts'

const app = await testApp()
const client = createClient(app.config.outbound)
after(() => client.close())
const BASE_URL = 'https://shop.example'
const context: ChannelContext = {
  keyring: app.keyring,
  outbound: app.config.outbound,
  client,
  shown: { baseUrl: BASE_URL, attachmentBytes: 20_971_520 },
}
const TOKEN = '42:a-very-secret-token'

/** What the stand-in answers, by method and path; anything else is refused as the platforms refuse. */
const answers: Record<string, unknown> = {}
const respond: Respond = (response, { method, path }) => {
  const answer = answers[`${method} ${path.split('?')[0]}`]
  const body = answer ?? (path.startsWith('/bot') ? { ok: false, error_code: 401, description: 'Unauthorized' } : graphRefusal)
  response.writeHead(answer ? 200 : path.startsWith('/bot') ? 401 : 400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
const graphRefusal = { error: { message: 'Malformed access token EAAB-secret', type: 'OAuthException', code: 190 } }

let platform: Receiver
before(async () => {
  platform = await startReceiver(respond)
  answers[`GET /bot${TOKEN}/getMe`] = { ok: true, result: { id: 42, is_bot: true, first_name: 'Shop', username: 'shop_bot' } }
  answers[`POST /bot${TOKEN}/setWebhook`] = { ok: true, result: true }
  answers['GET /v25.0/106540352242922'] = { id: '106540352242922', verified_name: 'The shop', display_phone_number: '+1 555' }
  answers['POST /v25.0/102290129340398/subscribed_apps'] = { success: true }
  answers['GET /v25.0/777'] = { id: '777', name: 'A page', username: 'a_page' }
  answers['POST /v25.0/777/subscribed_apps'] = { success: true }
})
after(() => platform.close())

const caller = (shop: TestTenant) => ({ tenant: shop.id, actor: { type: 'cli' } as const })
const create = (shop: TestTenant, input: NewChannel, how: 'ask' | 'trust' = 'ask') =>
  channels.create(app.sql, caller(shop), input, how, context)
const change = (shop: TestTenant, id: string, input: ChannelChange, how: 'ask' | 'trust' = 'ask') =>
  channels.change(app.sql, caller(shop), id, input, how, context)
const telegram = (over: Partial<NewChannel> = {}): NewChannel => ({ platform: 'telegram', token: TOKEN, api_url: platform.origin, ...over })
const asked = (path: string) => platform.received.filter(each => each.path.split('?')[0] === path)

/** The fields that a refusal names, with their codes. */
async function refusal(work: Promise<unknown>): Promise<[field: string, code: string, message: string][]> {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    thrown => thrown,
  )
  assert.ok(error instanceof Problem, String(error))
  const errors = (error.members['errors'] ?? [{ field: '', code: error.members['code'], message: error.message }]) as {
    field: string
    code: string
    message: string
  }[]
  return errors.map(({ field, code, message }) => [field, code, message])
}

test('a bot is asked who it is, told where its updates go, and named after itself', async () => {
  const shop = await app.tenant()
  const made = await create(shop, telegram())
  assert.equal(made.callback_url, `${BASE_URL}/api/channels/${made.id}/callback`)
  assert.match(made.made.secret ?? '', /^whsec_[0-9a-f]{64}$/)
  assert.deepEqual([made.registered, made.steps], [true, []])
  const sent = JSON.parse(asked(`/bot${TOKEN}/setWebhook`).at(-1)?.body.toString() ?? '{}')
  assert.deepEqual(Object.keys(sent), ['url', 'secret_token', 'allowed_updates', 'max_connections'])
  assert.deepEqual([sent.url, sent.secret_token], [made.callback_url, made.made.secret])
  const { body } = await shop.get(`/api/v1/channels/${made.id}`)
  assert.deepEqual([body.name, body.account, body.status], ['shop_bot', { id: '42', name: 'shop_bot' }, 'enabled'])
  assert.deepEqual(body.settings, { api_url: platform.origin, reopen_hours: 24, read_receipts: true })
  assert.deepEqual(body.limits, {
    text_max: 4096,
    text_unit: 'characters',
    attachment_types: ['image', 'video', 'audio', 'file'],
    attachment_bytes: 20_971_520,
  })
  assert.deepEqual([body.queued_count, body.unknown_count, body.last_error], [0, 0, null])
})

test('the largest file of a channel is what the installation takes, and no more than its platform does', async () => {
  const MB = 1024 * 1024
  for (const [most, expected] of [
    [2, { telegram: 2, whatsapp: 2, facebook: 2, instagram: 2, api: 2, web: 2 }],
    [100, { telegram: 50, whatsapp: 100, facebook: 25, instagram: 25, api: 100, web: 100 }],
  ] as const) {
    const large = await testApp({ ATTACHMENT_MAX_BYTES: String(most * MB) })
    const shop = await large.tenant()
    for (const platform of Object.keys(expected) as (keyof typeof expected)[])
      await aChannel(large, shop, { platform, ...(platform !== 'api' && platform !== 'web' && { account: { id: '1', name: null } }) })
    const { data } = (await shop.get('/api/v1/channels')).body
    const shown = data.map((each: { platform: string; limits: { attachment_bytes: number } }) => [
      each.platform,
      each.limits.attachment_bytes / MB,
    ])
    assert.deepEqual(Object.fromEntries(shown), expected)
  }
})

test('wrong credentials are refused in the platform’s own words, without quoting them, and no channel is made', async () => {
  const shop = await app.tenant()
  assert.deepEqual(await refusal(create(shop, telegram({ token: '42:wrong' }))), [
    ['token', 'refused', 'Telegram refuses these credentials. It answered 401: Unauthorized'],
  ])
  const graph = { platform: 'facebook', account: '1', token: 'EAAB-secret', app_secret: 's', api_url: `${platform.origin}/v25.0` } as const
  assert.deepEqual(await refusal(create(shop, graph)), [
    ['token', 'refused', 'Messenger refuses these credentials. It answered 400: Malformed access token •••• (code 190)'],
  ])
  assert.equal((await shop.get('/api/v1/channels')).body.data.length, 0)
  const { id } = await create(shop, telegram({ token: '43:wrong' }), 'trust')
  assert.equal((await shop.get(`/api/v1/channels/${id}`)).body.account.id, '43')
})

test('a platform that is not reached is said so without its path, which holds the token', async () => {
  const shop = await app.tenant()
  const [[field, code, message = ''] = []] = await refusal(create(shop, telegram({ api_url: 'http://127.0.0.1:9' })))
  assert.deepEqual([field, code], ['token', 'not_asked'])
  assert.match(message, /^Telegram could not be asked whose these credentials are\. It was not reached/)
  assert.ok(!message.includes(TOKEN) && !message.includes('/bot'), message)
})

test('a number’s callbacks are registered with its business account, and what is left is said', async () => {
  const shop = await app.tenant()
  const number = {
    platform: 'whatsapp',
    account: '106540352242922',
    token: 'EAAB',
    app_secret: 'app-secret',
    api_url: `${platform.origin}/v25.0`,
  } as const
  const made = await create(shop, { ...number, waba: '102290129340398' })
  assert.equal(made.registered, true)
  assert.match(made.made.verify_token ?? '', /^[0-9a-f]{32}$/)
  const sent = asked('/v25.0/102290129340398/subscribed_apps').at(-1)
  assert.deepEqual(JSON.parse(sent?.body.toString() ?? ''), {
    override_callback_uri: made.callback_url,
    verify_token: made.made.verify_token,
  })
  assert.equal(sent?.headers.authorization, 'Bearer EAAB')
  const other = await app.tenant()
  const byHand = await create(other, { ...number, verify_token: 'my-own-word' })
  assert.deepEqual([byHand.registered, byHand.made], [false, { verify_token: 'my-own-word' }])
  assert.match(byHand.steps.join('\n'), new RegExp(`${byHand.callback_url}\n.*my-own-word`))
  const third = await app.tenant()
  const shownOnce = await create(third, number)
  assert.ok(shownOnce.steps.join().includes(shownOnce.made.verify_token ?? ''))
  const again = await connection.connect(app.sql, caller(third), shownOnce.id, context)
  assert.ok(!again.steps.join().includes(shownOnce.made.verify_token ?? ''), again.steps.join('\n'))
})

test('a page’s app is subscribed to it; an account of Instagram only by its own login', async () => {
  const shop = await app.tenant()
  const base = { account: '777', token: 'EAAB', app_secret: 's', api_url: `${platform.origin}/v25.0` }
  const page = await create(shop, { platform: 'facebook', ...base })
  assert.equal(page.registered, true)
  assert.match(
    JSON.parse(asked('/v25.0/777/subscribed_apps').at(-1)?.body.toString() ?? '{}').subscribed_fields,
    /messages,.*message_echoes/,
  )
  const instagram = await create(shop, { platform: 'instagram', ...base })
  assert.equal(instagram.registered, false)
  assert.match(instagram.steps.join('\n'), /choose Instagram/)
})

test('what an option must be is said by its name', async () => {
  const shop = await app.tenant()
  const cases: [NewChannel, string[]][] = [
    [{ platform: 'telegram' }, ['token required']],
    [{ platform: 'whatsapp', token: 't' }, ['account required', 'app_secret required']],
    [{ platform: 'api', send_url: 'https://x.example', token: 't' }, ['token not_applicable']],
    [{ platform: 'api', send_url: 'http://x.example' }, ['send_url https_required']],
    [
      { platform: 'web', origins: ['https://shop.example/path', 'http://shop.example'] },
      ['origins[0] invalid_format', 'origins[1] invalid_format'],
    ],
    [{ platform: 'web', origins: ['https://shop.example'], time_zone: 'Mars/Base' }, ['time_zone invalid_format']],
    [{ platform: 'telegram', token: 't', api_url: 'ftp://x' }, ['api_url https_required']],
  ]
  for (const [input, fields] of cases)
    assert.deepEqual(
      (await refusal(create(shop, input, 'trust'))).map(([field, code]) => `${field} ${code}`),
      fields,
    )
  const { id } = await create(shop, { platform: 'web', origins: ['https://shop.example'] })
  const typed: [string, string][] = [
    ['create --platform web --origins ', '--origins is ""; it must not be empty.'],
    [
      'create --platform web --origins https://*.shop.example',
      '--origins holds "https://*.shop.example"; it must be one site: a * stands for none. Name each by itself.',
    ],
    ['create --platform telegram', '--token is required for telegram.'],
    ['create --platform telegram --token ', '--token must not be empty.'],
    [`talk ${id} --as `, '--as is ""; it must not be empty.'],
    [
      `connect ${id}`,
      `A web chat has no callbacks; its pages need <script src="http://localhost:3000/chat.js" data-channel="${id}" async></script>`,
    ],
    [`reapply ${id} --callback ${nobody('cbk')}`, 'It has not failed, or there is no such callback.'],
  ]
  for (const [line, said] of typed) {
    const { stdout, stderr } = await command(['channel', ...line.split(' '), '--tenant', shop.id], settingsOf(app))
    assert.equal((stderr || stdout).trim(), said)
  }
})

test('an account is a channel of a workspace once', async () => {
  const shop = await app.tenant()
  await create(shop, telegram())
  assert.deepEqual(
    (await refusal(create(shop, telegram()))).map(([, code]) => code),
    ['duplicate_account'],
  )
})

describe('a channel that is there', () => {
  let shop: TestTenant
  let id: string
  before(async () => {
    shop = await app.tenant()
    id = (await create(shop, telegram())).id
  })
  const credentials = async () => {
    const [row] = await app.sql`select credentials from channels where tenant_id = ${shop.id} and id = ${id}`
    return open(app.keyring, shop.id, id, row?.['credentials'])
  }

  test('takes a new token of the same account, and no other’s', async () => {
    answers['GET /bot42:new/getMe'] = { ok: true, result: { id: 42, username: 'shop_bot' } }
    answers['GET /bot99:other/getMe'] = { ok: true, result: { id: 99, username: 'other_bot' } }
    assert.deepEqual(
      (await refusal(change(shop, id, { token: '99:other' }))).map(([, code]) => code),
      ['another_account'],
    )
    const before = await credentials()
    await change(shop, id, { token: '42:new' })
    assert.deepEqual(await credentials(), { ...before, token: '42:new' })
  })

  test('keeps what a change does not name', async () => {
    const changed = JSON.parse(await change(shop, id, { reopen_hours: 72, max_per_second: 20 }))
    assert.deepEqual([changed.settings.reopen_hours, changed.settings.max_per_second, changed.settings.api_url], [72, 20, platform.origin])
    const again = JSON.parse(await change(shop, id, { max_per_second: null, name: 'The bot' }))
    assert.deepEqual([again.name, again.settings.reopen_hours, 'max_per_second' in again.settings], ['The bot', 72, false])
    assert.deepEqual(await refusal(change(shop, id, { account: '7' } as never)).then(all => all.map(([, code]) => code)), [
      'not_applicable',
    ])
  })

  test('takes another account of its platform, which the platform vouches for, and none that is a channel already', async () => {
    const shop = await app.tenant()
    const graph = { token: 't', app_secret: 's', api_url: `${platform.origin}/v25.0` }
    const { id: page } = await create(shop, { platform: 'facebook', account: '776', ...graph }, 'trust')
    const codes = async (work: Promise<unknown>) => (await refusal(work)).map(([field, code]) => [field, code])
    assert.deepEqual(await codes(change(shop, page, { account: '779' })), [['token', 'refused']])
    const moved = JSON.parse(await change(shop, page, { account: '777' }))
    assert.deepEqual(moved.account, { id: '777', name: 'A page' })
    const { id: other } = await create(shop, { platform: 'facebook', account: '780', ...graph }, 'trust')
    assert.deepEqual(await codes(change(shop, other, { account: '777' })), [['', 'duplicate_account']])
    const trusted = JSON.parse(await change(shop, page, { account: '781' }, 'trust'))
    assert.deepEqual(trusted.account, { id: '781', name: null })
    assert.equal((await command(['channel', 'update', page, '--account', '777', '--tenant', shop.id], settingsOf(app))).code, 0)
    assert.deepEqual(await accounts.of(app.sql, shop.id, page).then(each => [each?.account_id, each?.account_name]), ['777', 'A page'])
  })

  const graph = ['token', 'app_secret', 'verify_token', 'api_url', 'read_receipts', 'account']
  const web = ['origins', 'title', 'greeting', 'color', 'away_text', 'hours', 'time_zone']
  const TAKES = {
    telegram: ['token', 'api_url', 'read_receipts'],
    whatsapp: [...graph, 'waba'],
    facebook: [...graph, 'human_agent'],
    instagram: [...graph, 'human_agent'],
    api: ['send_url'],
    web,
  } as const
  const values: Required<ChannelChange> = {
    name: 'A name',
    reopen_hours: 720,
    max_per_second: 5,
    account: '900',
    token: '42:x',
    app_secret: 'secret-anew',
    verify_token: 'verify-anew',
    waba: '5',
    api_url: 'https://api.example',
    send_url: 'https://bridge.example/x',
    read_receipts: false,
    human_agent: true,
    origins: ['https://other.example'],
    title: 'T',
    greeting: 'G',
    color: '#abcdef',
    away_text: 'A',
    hours: 'Mon-Fri 09:00-18:00',
    time_zone: 'Europe/Kyiv',
  }
  for (const [platform, takes] of Object.entries(TAKES))
    test(`of ${platform} takes by update each option that create takes, and no other`, async () => {
      const shop = await app.tenant()
      const account = platform === 'api' || platform === 'web' ? {} : { account: { id: '1', name: null } }
      const other = await aChannel(app, shop, { platform: platform as NewChannel['platform'], ...account, credentials: { token: '42:t' } })
      for (const [field, value] of Object.entries(values)) {
        const work = change(shop, other, { [field]: value }, 'trust')
        if (!['name', 'reopen_hours', 'max_per_second', ...takes].includes(field)) {
          assert.deepEqual(
            (await refusal(work)).map(([at, code]) => [at, code]),
            [[field, 'not_applicable']],
          )
          continue
        }
        const changed = JSON.parse(await work)
        const shown = { ...changed, ...changed.settings, account: changed.account.id }
        if (!['token', 'app_secret', 'verify_token'].includes(field)) assert.deepEqual(shown[field], value, field)
        else assert.ok(!JSON.stringify(changed).includes(String(value)), `${field} is not shown`)
      }
    })

  test('says at once until when people may reply, where that right is given or taken back', async () => {
    const shop = await app.tenant()
    const { id: other } = await create(shop, { platform: 'facebook', account: '778', token: 't', app_secret: 's' }, 'trust')
    const at = new Date(Date.now() - 3_600_000).toISOString()
    const talk = await talkOn(app, shop, other, at)
    const until = async () => (Date.parse((await talk.read()).reply_until) - Date.parse(at)) / 3_600_000
    const hours = [await until()]
    for (const human_agent of [true, false]) {
      await change(shop, other, { human_agent }, 'trust')
      hours.push(await until())
    }
    assert.deepEqual(hours, [24, 7 * 24, 24])
  })

  test('a failing one is tried at once with a new token', async () => {
    await app.sql`update channels set status = 'failing', failing_since = now(), quiet_until = now() + interval '1 hour' where id = ${id}`
    await change(shop, id, { token: '42:new' })
    const [row] = await app.sql`select status, quiet_until from channels where id = ${id}`
    assert.deepEqual({ ...row }, { status: 'failing', quiet_until: null })
    await app.sql`update channels set status = 'enabled', failing_since = null where id = ${id}`
  })

  test('is disabled and enabled', async () => {
    assert.equal(JSON.parse(await status.disable(app.sql, caller(shop), id, context)).status, 'disabled')
    const [source] = await app.sql`select enabled from callback_sources where id = ${id}`
    assert.equal(source?.['enabled'], false)
    assert.equal(JSON.parse(await status.enable(app.sql, caller(shop), id, context)).status, 'enabled')
  })

  test('is checked: whose the token is, and where updates go', async () => {
    answers['GET /bot42:new/getWebhookInfo'] = {
      ok: true,
      result: { url: 'https://elsewhere.example/', pending_update_count: 3, last_error_message: 'Wrong response' },
    }
    const checked = await connection.check(app.sql, caller(shop), id, context)
    assert.deepEqual(checked.account, { id: '42', name: 'shop_bot' })
    assert.match(checked.problems.join('\n'), /elsewhere\.example.*\n3 updates wait at Telegram, which says: Wrong response/)
    delete answers['GET /bot42:new/getMe']
    assert.match((await connection.check(app.sql, caller(shop), id, context)).problems.join(), /Unauthorized/)
  })

  test('another workspace neither sees nor changes it', async () => {
    const other = await app.tenant()
    assert.equal((await other.get(`/api/v1/channels/${id}`)).status, 404)
    for (const work of [
      () => change(other, id, { name: 'Mine' }),
      () => status.remove(app.sql, caller(other), id, context),
      () => connection.check(app.sql, caller(other), id, context),
      () => channels.rotateSecret(app.sql, caller(other), id, context),
    ])
      assert.match((await refusal(work())).flat().join(' '), /no such channel/)
  })

  test('leaves a tombstone without credentials', async () => {
    const { json } = await status.remove(app.sql, caller(shop), id, context)
    assert.deepEqual(JSON.parse(json), { object: 'channel', id, deleted: true })
    assert.equal((await shop.get(`/api/v1/channels/${id}`)).status, 404)
    assert.equal((await shop.get('/api/v1/channels')).body.data.length, 0)
    assert.equal((await accounts.of(app.sql, shop.id, id))?.status, 'deleted')
    const [row] = await app.sql`select credentials from channels where id = ${id}`
    assert.equal(row?.['credentials'], null)
    // The account may be connected again.
    await create(shop, telegram())
  })

  test('all of it is in the audit log', async () => {
    const rows = await app.sql`select distinct action from audit_log where tenant_id = ${shop.id} and subject_id = ${id} order by action`
    assert.deepEqual(
      rows.map(each => each['action']),
      ['channel.create', 'channel.delete', 'channel.disable', 'channel.enable', 'channel.update'],
    )
  })
})

test('a bot whose channel is deleted is told to send no more, unless it sends elsewhere by then; a refusal is said and stops nothing', async () => {
  const told = () => asked(`/bot${TOKEN}/deleteWebhook`).length
  const registeredAt = (url: string) => {
    answers[`GET /bot${TOKEN}/getWebhookInfo`] = { ok: true, result: { url, has_custom_certificate: false, pending_update_count: 0 } }
  }
  const leave = async (url: (callback: string) => string) => {
    const shop = await app.tenant()
    const { id, callback_url } = await create(shop, telegram())
    registeredAt(url(callback_url))
    const { json, steps } = await status.remove(app.sql, caller(shop), id, context)
    assert.deepEqual(JSON.parse(json), { object: 'channel', id, deleted: true })
    assert.equal((await shop.get(`/api/v1/channels/${id}`)).status, 404)
    return steps
  }
  const before = told()
  assert.match((await leave(url => url)).join(), /^Telegram could not be told to send no more callbacks\. It answered 401: Unauthorized$/)
  answers[`POST /bot${TOKEN}/deleteWebhook`] = { ok: true, result: true }
  assert.deepEqual([await leave(url => url), told() - before], [[], 2])
  assert.deepEqual([await leave(() => 'https://elsewhere.example/hook'), told() - before], [[], 2])
})

test('of a page whose channel is deleted a person is told what is left to click', async () => {
  const shop = await app.tenant()
  const page = { platform: 'facebook', account: '777', token: 't', app_secret: 's', api_url: `${platform.origin}/v25.0` } as const
  const { id, callback_url } = await create(shop, page)
  const { steps } = await status.remove(app.sql, caller(shop), id, context)
  assert.ok(steps.join(' ').includes(callback_url), steps.join('\n'))
  assert.match(steps.join(' '), /another channel of the app.*under Webhooks/)
})

test('a secret of api or web is rotated, and the one before it counts for a day', async () => {
  const shop = await app.tenant()
  const { id, made } = await create(shop, { platform: 'api', send_url: 'https://bridge.example/out' })
  const secret = await channels.rotateSecret(app.sql, caller(shop), id, context)
  assert.notEqual(secret, made.secret)
  const [row] = await app.sql`select previous_secret_until > now() + interval '23 hours' as day from channels where id = ${id}`
  assert.equal(row?.['day'], true)
  const bot = await create(shop, telegram())
  assert.match((await refusal(channels.rotateSecret(app.sql, caller(shop), bot.id, context))).flat().join(' '), /for api and web/)
})

test('a token of Instagram’s own login that is a week old is renewed, and no other', async () => {
  const shop = await app.tenant()
  const settings = (api_url: string) => ({ reopen_hours: 24, api_url })
  const make = (id: string, api_url: string) =>
    aChannel(app, shop, {
      platform: 'instagram',
      account: { id, name: null },
      settings: settings(api_url),
      credentials: { token: `token-${id}`, app_secret: 's' },
    })
  const [old, young, other] = [
    await make('1', 'https://graph.instagram.com/v25.0'),
    await make('2', 'https://graph.instagram.com/v25.0'),
    await make('3', 'https://graph.facebook.com/v25.0'),
  ]
  await app.sql`update channels set token_at = now() - interval '8 days' where id in (${old}, ${other})`
  await app.sql`update channels set status = 'deleted' where id = ${old}`
  assert.equal(await queueRenewals(app.sql), 0)
  await app.sql`update channels set status = 'disabled' where id = ${old}`
  assert.equal(await queueRenewals(app.sql), 1)
  assert.equal(await queueRenewals(app.sql), 0, 'its job waits')
  const [job] =
    await app.sql`select payload from graphile_worker._private_jobs where payload ->> 'channelId' in (${old}, ${young}, ${other})`
  assert.equal(job?.['payload'].channelId, old)

  await app.sql`update channels set settings = ${app.sql.json(settings(`${platform.origin}/v25.0`))} where id = ${old}`
  const tokenOf = async () => {
    const [row] = await app.sql`select credentials, last_error from channels where id = ${old}`
    return [open(app.keyring, shop.id, old, row?.['credentials']), row?.['last_error']]
  }
  await renew({ ...context, sql: app.sql }, { tenant: shop.id, id: old })
  assert.match((await tokenOf())[1], /^The token could not be renewed\. It answered 400/)
  answers['GET /v25.0/refresh_access_token'] = { access_token: 'token-1-renewed', token_type: 'bearer', expires_in: 5_183_944 }
  await renew({ ...context, sql: app.sql }, { tenant: shop.id, id: old })
  assert.deepEqual((await tokenOf())[0], { token: 'token-1-renewed', app_secret: 's' })
  assert.equal(await queueRenewals(app.sql), 0)
})

test('the command line prints what is made once, and nothing that was given', async () => {
  const shop = await app.tenant()
  const env = { ...settingsOf(app), BASE_URL }
  const run = (...args: string[]) => command(['channel', ...args, '--tenant', shop.id, '--json'], env)
  const [bot, web, wrong] = await Promise.all([
    run('create', '--platform', 'telegram', '--token', TOKEN, '--api-url', platform.origin),
    run('create', '--platform', 'web', '--origins', 'https://Shop.example:443/, https://магазин.укр, http://localhost:8080'),
    run('create', '--platform', 'telegram', '--token', '42:wrong', '--api-url', platform.origin),
  ])
  const made = JSON.parse(bot.stdout)
  assert.deepEqual(Object.keys(made), ['id', 'platform', 'callback_url', 'secret'])
  const chat = JSON.parse(web.stdout)
  assert.deepEqual(Object.keys(chat), ['id', 'platform', 'secret', 'snippet'])
  const [kept] = await app.sql`select settings -> 'origins' as origins from channels where id = ${chat.id}`
  // As address bars show them, and as browsers send them.
  assert.deepEqual(kept?.['origins'], ['https://shop.example', 'https://xn--80aairftm.xn--j1amh', 'http://localhost:8080'])
  assert.equal(chat.snippet, `<script src="${BASE_URL}/chat.js" data-channel="${chat.id}" async></script>`)
  assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
  assert.match(wrong.stderr, /^--token: Telegram refuses these credentials\. It answered 401: Unauthorized/)
  const got = await run('get', made.id)
  assert.deepEqual(JSON.parse(got.stdout), (await shop.get(`/api/v1/channels/${made.id}`)).body)
  assert.ok(!JSON.stringify([bot, web, wrong, got]).includes(TOKEN))
})
