// No credential of a channel is ever in a log, an error or anything that is kept in the clear: real processes that say all they can, and platforms that
// misbehave in every way and quote what they were sent.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newSecret } from '../../src/channels/accounts/accounts.ts'
import { FILES } from '../attachments/samples.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { byMeta, byService, byTelegram } from '../support/callbacks.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { type Asked, type Behaviour, startPlatform } from '../support/platform.ts'
import { startReceiver } from '../support/receiver.ts'
import { aTalk, uploaded } from '../support/sending.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const { sql } = app
const platform = await startPlatform()
after(platform.close)
/** Refuses every question, and quotes what it was asked with. */
const quoter = await startReceiver((response, { path, headers }) => {
  const description = `You asked ${path} with ${headers.authorization}`
  response.writeHead(400, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ ok: false, error_code: 400, description, error: { message: description, code: 100 } }))
})
after(quoter.close)

const TOKENS = {
  telegram: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  whatsapp: 'EAAGwhatsapp0secret',
  facebook: 'EAAGfacebook0secret',
}
const OTHERS = { appSecret: 'app0secret0of0meta', verify: 'verify0token0of0meta', telegram: newSecret(), api: newSecret() }
const CREDENTIALS = [...Object.values(TOKENS), ...Object.values(OTHERS)]

/** Each way in which a message may fail, the credential of the request quoted wherever there is room for words. */
const WAYS: ((asked: Asked) => Behaviour)[] = [
  () => 'take',
  () => 'hang',
  () => 'reset',
  () => 'take and half',
  quoting(401),
  quoting(400),
  quoting(403),
  quoting(500),
  quoting(200),
  asked => ({ status: 302, headers: { Location: `${platform.origin}${asked.path}?token=${credentialOf(asked)}` } }),
  asked => ({ status: 400, body: `<html>${asked.path} ${credentialOf(asked)}</html>` }),
]
const credentialOf = (asked: Asked): string => String(asked.headers.authorization ?? asked.path)
function quoting(status: number): (asked: Asked) => Behaviour {
  return asked => {
    const words = `You sent ${credentialOf(asked)}`
    return {
      status,
      body: { ok: false, error_code: status, description: words, error: { message: words, code: status === 401 ? 190 : 100 } },
    }
  }
}

/** A pressed button, which is answered at once. */
const PRESSED = JSON.stringify({
  update_id: 2,
  callback_query: {
    id: '4382',
    from: { id: 7, is_bot: false, first_name: 'Ada' },
    message: { message_id: 1, date: 1_780_000_000, chat: { id: 7, type: 'private' } },
    chat_instance: '1',
    data: 'm',
  },
})

interface Given {
  shop: TestTenant
  channel: string
  name: 'telegram' | 'whatsapp' | 'facebook' | 'api'
}

async function aShop(name: Given['name'], credentials: object, origin: string): Promise<Given> {
  const shop = await app.tenant()
  const settings = name === 'api' ? { send_url: `${origin}/send` } : { api_url: origin }
  const account = name === 'telegram' || name === 'api' ? {} : { account: { id: '4711', name: null } }
  return { shop, name, channel: await aChannel(app, shop, { platform: name, settings, credentials, ...account }) }
}

test('no credential is in a log, an error or what is kept, whatever a platform does and whatever is called back', async t => {
  const env = {
    ...settingsOf(app),
    ...{ LOG_LEVEL: 'trace', PORT: '0', HOST: '127.0.0.1', BASE_URL: 'https://shop.example' },
    ...{ CHANNEL_TIMEOUT_MS: '200', MESSAGE_SCHEDULE: '0,0.1,0.2,0.3,0.4,0.5', INBOUND_CHANNEL_LIMIT: '1000' },
  }
  const web = shopdesk(['web'], env)
  const [worker] = await Promise.all([aWorker(env), web.says(/listening on \S+/)])
  t.after(() => Promise.all([worker.stop('SIGKILL'), web.stop('SIGKILL')]))
  const [, address] = /listening on (http:\/\/[^\s"]+)/.exec(web.stdout()) ?? []

  const all = await Promise.all(
    WAYS.flatMap(() => [
      aShop('telegram', { token: TOKENS.telegram, secret: OTHERS.telegram }, platform.origin),
      aShop('whatsapp', { token: TOKENS.whatsapp, app_secret: OTHERS.appSecret, verify_token: OTHERS.verify }, platform.origin),
      aShop('facebook', { token: TOKENS.facebook, app_secret: OTHERS.appSecret, verify_token: OTHERS.verify }, platform.origin),
      aShop('api', { secret: OTHERS.api }, platform.origin),
    ]),
  )
  const bot = { token: TOKENS.telegram, secret: OTHERS.telegram }
  const number = { token: TOKENS.whatsapp, app_secret: OTHERS.appSecret, verify_token: OTHERS.verify }
  const nowhere = await aShop('telegram', bot, 'http://127.0.0.1:9')
  const quoted = [await aShop('telegram', bot, quoter.origin), await aShop('whatsapp', number, quoter.origin)]

  await t.test('what is sent', async () => {
    const wayOf = new Map<string, (asked: Asked) => Behaviour>()
    platform.behave(asked => {
      const to = String(asked.json?.chat_id ?? asked.json?.recipient?.id ?? asked.json?.to?.id ?? asked.json?.to)
      return (wayOf.get(to) ?? (() => 'take'))(asked)
    })
    const said = await Promise.all(
      [...all, nowhere].map(async ({ shop, channel, name }, index) => {
        const talk = await aTalk(app, shop, channel, name)
        wayOf.set(talk.thread, WAYS[Math.floor(index / 4)] ?? (() => 'take'))
        const file = index % 3 === 0 && name !== 'facebook' ? { attachments: [{ id: await uploaded(app, shop, FILES.jpeg) }] } : {}
        return talk.say('Hello', file)
      }),
    )
    await eventually(async () => {
      const rows = await sql`
        select 1 from messages m
         where m.id = any(${said}::text[]) and m.status = 'queued'
           and not exists (select 1 from channel_attempts a where a.tenant_id = m.tenant_id and a.message_id = m.id)`
      return rows.length === 0
    })
  })

  await t.test('what is fetched', async () => {
    const media = { type: 'image' as const, source: { file_id: 'F1' } }
    const { expected } = await import('../../src/attachments/attachments.ts')
    const { begin } = await import('../../src/postgres/sql.ts')
    const files = await Promise.all(
      [...quoted, nowhere].map(({ shop, channel }) =>
        begin(sql, tx => expected(tx, shop.id, channel, [{ message: 'msg_00000000000000000000000000', media }])),
      ),
    )
    const ids = files.flat().map(each => each.id)
    await eventually(async () => (await sql`select 1 from attachments where id = any(${ids}::text[]) and attempts = 0`).length === 0)
  })

  await t.test('what is called back', async () => {
    const call = (id: string, body: unknown, headers: Record<string, string>) =>
      fetch(`${address}/api/channels/${id}/callback`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    const [, whatsapp, , api] = all as [Given, Given, Given, Given]
    const [telegram] = quoted as [Given]
    const statuses: number[] = []
    for (const body of ['{"update_id":1}', 'no JSON', PRESSED]) {
      statuses.push((await call(telegram.channel, body, byTelegram(OTHERS.telegram)(body))).status)
      statuses.push((await call(telegram.channel, body, { 'X-Telegram-Bot-Api-Secret-Token': `${OTHERS.telegram}x` })).status)
      statuses.push((await call(whatsapp.channel, body, byMeta(OTHERS.appSecret)(body))).status)
      statuses.push((await call(api.channel, body, byService(OTHERS.api)(body))).status)
    }
    const query = (token: string) => `?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${token}`
    for (const token of [OTHERS.verify, `${OTHERS.verify}x`])
      statuses.push((await fetch(`${address}/api/channels/${whatsapp.channel}/callback${query(token)}`)).status)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 401, 403, 422])
  })

  await t.test('what is asked of a platform at the command line', async () => {
    const commands = [...quoted, nowhere].flatMap(({ channel, shop }) =>
      ['check', 'connect'].map(each => shopdesk(['channel', each, channel, '--tenant', shop.id, '--json'], env)),
    )
    await Promise.all(commands.map(each => each.ended))
    for (const each of commands) nothingIn(each.output(), each.child.spawnargs.slice(1, 4).join(' '))
  })

  await Promise.all([worker.stop(), web.stop()])
  assert.match(worker.output(), /"level":(10|20)/, 'they said all they could')
  nothingIn(worker.output(), 'the log of the worker')
  nothingIn(web.output(), 'the log of web')
  const tables = await sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker') or schemaname like 'graphile%'`
  assert.ok(tables.length > 30)
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select to_jsonb(t)::text as row from ${name} t`)
    nothingIn(rows.map(each => each['row']).join('\n'), name)
  }
  const [attempts] = await sql`select count(*)::integer as kept from channel_attempts where error is not null`
  assert.ok(attempts?.['kept'] >= 20, `${attempts?.['kept']} attempts are kept with their words`)
})

function nothingIn(text: string, where: string): void {
  for (const credential of CREDENTIALS) {
    const at = text.indexOf(credential.slice(credential.indexOf(':') + 1))
    assert.equal(at, -1, `${where}: ${text.slice(Math.max(0, at - 200), at + 100)}`)
  }
}
