// The guides of channels, word by word: their commands, their requests, their programs, on a service that stand-ins of the platforms call back. Where a guide
// says ten_…, chn_… or conv_…, the id stands; where it leads to a platform, the stand-in's address does; nothing else is changed.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { snippetOf } from '../../src/channels/snippet.ts'
import { policyFor } from '../../src/chat/try-page.ts'
import { textsFor } from '../../src/chat/widget/texts.ts'
import { freePort } from '../../src/loopback.ts'
import { verifyWebhook } from '../../src/outbound/sign.ts'
import { blocksOf, commandsOf, wordsOf } from '../docs/examples.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { byMeta, byTelegram, type Signer } from '../support/callbacks.ts'
import { command } from '../support/command.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { type Asked, startPlatform } from '../support/platform.ts'
import { type Running, runOnTerminal } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'
import type { Fixture } from './fixtures/fixture.ts'
import { whatsapp } from './fixtures/whatsapp.ts'

const port = await freePort()
const BASE_URL = `http://127.0.0.1:${port}`
const settings = { BASE_URL, INBOUND_CHANNEL_LIMIT: '1000' }
const app = await testApp({ ...settings, PORT: String(port) })
before(() => app.startWorker())
const platform = await startPlatform()
after(platform.close)
const folder = mkdtempSync(join(tmpdir(), 'guides-'))
after(() => rmSync(folder, { recursive: true }))
const FILES = { 'token.txt': 'the-token', 'page-token.txt': 'the-token', 'app-secret.txt': 'the-app-secret' }
for (const [name, text] of Object.entries({ ...FILES, 'instagram-app-secret.txt': FILES['app-secret.txt'] }))
  writeFileSync(join(folder, name), `${text}\n`)
const env = { ...settingsOf(app), ...settings }

interface Ids {
  tenant: string
  channel?: string
  conversation?: string
}

/** The words of a printed command behind `bin/shopdesk`. */
function typed(line: string, { tenant, channel = '', conversation = '' }: Ids): string[] {
  const [program, ...words] = wordsOf(line.replaceAll('ten_…', tenant).replaceAll('chn_…', channel).replaceAll('conv_…', conversation))
  assert.equal(program, 'bin/shopdesk')
  return words.map(word => (word.startsWith('@') ? `@${join(folder, word.slice(1))}` : word))
}

/** @returns what it says on both streams */
async function run(line: string, ids: Ids, more: string[] = []): Promise<string> {
  const { code, stdout, stderr } = await command([...typed(line, ids), ...more], env)
  assert.equal(code, 0, `${line}: ${stderr}`)
  return stdout + stderr
}

/** The only command of a guide that has these words. */
function commandOf(guide: string, words: string): string {
  const found = commandsOf(guide).filter(line => line.includes(words))
  assert.equal(found.length, 1, `${guide}: ${words}`)
  return found[0] as string
}

const isUsed = ({ becomes }: Fixture): boolean => becomes.some(({ kind }) => kind !== 'ignored')
const fieldsOf = ({ callback }: Fixture): string[] =>
  (callback as { entry: { changes: { field: string }[] }[] }).entry.flatMap(({ changes }) => changes.map(({ field }) => field))
const guideText = (guide: string): string => readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8')

const shown = (said: string, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(said)?.[1] ?? assert.fail(`no ${name} in ${said}`)

const conversationOf = (shop: TestTenant, channel: string) =>
  eventually(async () => ok(await shop.get(`/api/v1/conversations?channel_id=${channel}`)).data[0])

const FOLLOW = commandsOf('channels/generic').filter(line => line.includes('conversation follow'))

interface Guide {
  name: string
  /** What its customer writes, as its platform calls back. */
  callback(): object
  sign: Signer | ((asked: Asked) => Signer)
  /** The text of what its platform is sent. */
  textOf(asked: Asked): unknown
  /** Who is asked, and what is told to send callbacks. */
  asked: RegExp[]
}

const seconds = () => Math.floor(Date.now() / 1000)
const messaging = (object: string, account: string) => () => ({
  object,
  entry: [
    {
      id: account,
      time: Date.now(),
      messaging: [
        { sender: { id: '6789' }, recipient: { id: account }, timestamp: Date.now(), message: { mid: `m_${object}`, text: 'Hello?' } },
      ],
    },
  ],
})

const GUIDES: Guide[] = [
  {
    name: 'telegram',
    callback: () => ({
      update_id: 1,
      message: {
        message_id: 1,
        date: seconds(),
        text: 'Hello?',
        from: { id: 7, is_bot: false, first_name: 'Ada' },
        chat: { id: 7, type: 'private' },
      },
    }),
    sign: ({ json }: Asked) => byTelegram(json.secret_token),
    textOf: ({ json }) => json.text,
    asked: [/^\/botthe-token\/getMe$/, /^\/botthe-token\/setWebhook$/],
  },
  {
    name: 'whatsapp',
    callback: () => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
                contacts: [{ profile: { name: 'Ada' }, wa_id: '16505551234' }],
                messages: [{ from: '16505551234', id: 'wamid.1', timestamp: String(seconds()), type: 'text', text: { body: 'Hello?' } }],
              },
            },
          ],
        },
      ],
    }),
    sign: byMeta(FILES['app-secret.txt']),
    textOf: ({ json }) => json.text?.body,
    asked: [/\/106540352242922\?fields=/, /\/102290129340398\/subscribed_apps$/],
  },
  {
    name: 'messenger',
    callback: messaging('page', '104087212345678'),
    sign: byMeta(FILES['app-secret.txt']),
    textOf: ({ json }) => json.message?.text,
    asked: [/\/104087212345678\?fields=/, /\/104087212345678\/subscribed_apps$/],
  },
  {
    name: 'instagram',
    callback: messaging('instagram', '17841405822304914'),
    sign: byMeta(FILES['app-secret.txt']),
    textOf: ({ json }) => json.message?.text,
    // Only Instagram's own host subscribes an account by its token.
    asked: [/\/17841405822304914\?fields=/],
  },
]

suite('from nothing to the first message and its answer', () => {
  for (const { name, callback, sign, textOf, asked } of GUIDES)
    test(name, async () => {
      const guide = `channels/${name}`
      const shop = await app.tenant()
      platform.asked.length = 0
      const create = commandOf(guide, 'channel create').replace(/ --api-url \S+/, '')
      const said = await run(create, { tenant: shop.id }, ['--api-url', platform.origin])
      const [channel, url] = [shown(said, 'id'), shown(said, 'callback_url')]
      assert.equal(url, `${BASE_URL}/api/channels/${channel}/callback`)
      // The last messages of the guide before may come in between.
      const first = platform.asked.map(each => each.path).filter(path => !path.endsWith('/messages'))
      for (const [index, pattern] of asked.entries()) assert.match(first[index] ?? '', pattern)

      // Where the guide has a verify token entered by hand, the platform asks for it back.
      const token = /the verify token to ([^\s.]+)\./.exec(said)?.[1]
      assert.equal(token !== undefined, /enter both/.test(guideText(guide)) && !create.includes('--waba'))
      if (token !== undefined) {
        const answer = await fetch(`${url}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`)
        assert.deepEqual([answer.status, await answer.text()], [200, '42'])
      }
      // What the command says is left to be clicked, the guide says too.
      const told = /[Ss]ubscribe to: (.*)\.$/m.exec(said)?.[1]
      const fields = told?.split(', ') ?? []
      for (const field of fields) assert.ok(guideText(guide).includes(`\`${field}\``), field)
      // … and all that is read of WhatsApp is among it, but for what providers hand on and Meta offers no subscription to.
      const read = new Set(whatsapp.filter(isUsed).flatMap(fieldsOf))
      if (name === 'whatsapp') assert.deepEqual(new Set([...fields, 'user_id_update']), read)

      const raw = JSON.stringify(callback())
      const signer = name === 'telegram' ? (sign as (asked: Asked) => Signer)(platform.asked[1] as Asked) : (sign as Signer)
      const answered = await fetch(url, { method: 'POST', body: raw, headers: { 'Content-Type': 'application/json', ...signer(raw) } })
      assert.equal(answered.status, 200)
      const { id, last_message } = await conversationOf(shop, channel)
      assert.equal(last_message.text, 'Hello?')
      // Those two commands are run below: a guide prints no others.
      assert.deepEqual(
        commandsOf(guide).filter(line => line.includes('conversation')),
        FOLLOW,
      )
      ok(await shop.post(`/api/v1/conversations/${id}/messages`, { text: 'Yes, in M.' }))
      await eventually(async () => platform.messages().some(each => textOf(each) === 'Yes, in M.'))
      for (const block of blocksOf(guide, 'json')) ok(await shop.post(`/api/v1/conversations/${id}/messages`, JSON.parse(block)))
      if (name === 'whatsapp') await eventually(async () => platform.messages().some(({ json }) => json.template?.name === 'order_ready'))

      if (name !== 'telegram') return
      const answers = [/telegram/, new RegExp(`${channel}[\\s\\S]*ok +`), /applied/, /./]
      const overview = commandsOf('channels').filter(line => line.includes('channel '))
      assert.equal(overview.length, answers.length)
      for (const [index, line] of overview.entries()) {
        const { stdout } = await command(typed(line.replace(' --status failed', ''), { tenant: shop.id, channel }), env)
        assert.match(stdout, answers[index] as RegExp, line)
      }
    })
})

/** A text as a narrow terminal shows it. */
const folded = (text: string) => new RegExp(text.replaceAll(/[.?()]/g, '\\$&').replaceAll(' ', '\\s+'))

suite('any other messenger', () => {
  test('the terminal plays the customer, and two more show what is written and take the answer', async t => {
    const shop = await app.tenant()
    const ids: Ids = { tenant: shop.id }
    const own = await freePort()
    const [create, talk] = commandsOf('channels/generic') as [string, string]
    const here = `http://127.0.0.1:${own}`
    const allowed = { ...env, OUTBOUND_ALLOW_PRIVATE: 'false', OUTBOUND_ALLOW_ORIGINS: here }
    const made = await command(typed(create.replace('http://127.0.0.1:4100', here), ids), allowed)
    assert.equal(made.code, 0, made.stderr)
    ids.channel = shown(made.stdout, 'id')
    const running: Running[] = []
    t.after(() => Promise.all(running.map(each => each.stop('SIGKILL'))))
    const terminal = (line: string) => {
      const started = runOnTerminal(typed(line, ids), allowed)
      running.push(started)
      return started
    }
    const [customer, inbox] = [terminal(talk), terminal(FOLLOW[0] as string)]
    await Promise.all([customer.says(folded('You are Ada Lovelace.')), inbox.says(folded('Ctrl-C ends this'))])
    customer.child.stdin?.write('Do you have it in M?\r')
    await inbox.says(folded('Ada Lovelace: Do you have it in M?'))
    ids.conversation = /conv_[0-9a-z]{26}/.exec(inbox.stdout())?.[0] as string
    const operator = terminal(FOLLOW[1] as string)
    await operator.says(folded('Each line that you type is a reply'))
    operator.child.stdin?.write('Yes, in M.\r')
    await customer.says(folded('← Yes, in M.'))
    // The line of the message says it where it was delivered before it was shown.
    await operator.says(/delivered\s+\(Yes,\s+in\s+M\.\)|Yes,\s+in\s+M\.\s+\(delivered\)/)
    customer.child.stdin?.write('\u0004')
    operator.child.stdin?.write('\u0003')
    inbox.child.stdin?.write('\u0003')
    assert.deepEqual(await Promise.all(running.map(each => each.ended)), [0, 0, 0])
  })

  test('its program signs, its examples are taken, and what goes out is what it prints', async () => {
    const shop = await app.tenant()
    const create = commandOf('channels/generic', 'channel create').replace('http://127.0.0.1:4100', platform.origin)
    const said = await run(create, { tenant: shop.id })
    const [channel, secret, url] = ['id', 'secret', 'callback_url'].map(name => shown(said, name)) as [string, string, string]
    const sign = (await programOf('channels/generic', 'sign'))['sign'] as (secret: string, body: string) => string
    const examples = blocksOf('channels/generic', 'json').map(text => JSON.parse(text))
    const call = async (example: object) => {
      const body = JSON.stringify(example)
      const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': sign(secret, body) }
      const answer = await fetch(url, { method: 'POST', body, headers })
      assert.deepEqual([answer.status, Object.keys((await answer.json()) as object)], [200, ['object', 'id']])
    }
    const [first, second, receipt] = examples.filter(each => !('to' in each))
    const printed = examples.find(each => 'to' in each)
    await call(first)
    const { id } = await conversationOf(shop, channel)
    const { text, choices } = printed
    const reply = { text, choices, in_reply_to: (await conversationOf(shop, channel)).last_message.id }
    const { id: message } = ok(await shop.post(`/api/v1/conversations/${id}/messages`, reply))
    const sent = await eventually(async () => platform.messages().find(each => each.json.id === message))
    assert.deepEqual(Object.keys(sent.json), Object.keys(printed))
    const same = { ...printed, id: message, conversation_id: id, created_at: sent.json.created_at }
    assert.deepEqual(sent.json, same)
    assert.equal(sent.headers['idempotency-key'], message)
    assert.ok(verifyWebhook(secret, String(sent.headers['x-service-signature']), sent.body.toString(), seconds()))
    await call({ ...receipt, message_id: message })
    await call(second)
    await eventuallyHolds(async () => {
      const { data } = ok(await shop.get(`/api/v1/conversations/${id}/messages`))
      assert.deepEqual([data[0].text, data[0].in_reply_to, data[1].status], ['This one', data[2].id, 'read'])
    })
    const contact = ok(await shop.get('/api/v1/contacts?q=%2B380441234567')).data[0]
    assert.equal(contact.name, first.from.name)

    const rotate = /`bin\/shopdesk (channel rotate-secret [^`]+)`/.exec(guideText('channels/generic'))?.[1] as string
    const renewed = shown(await run(`bin/shopdesk ${rotate}`, { tenant: shop.id, channel }), 'secret')
    ok(await shop.post(`/api/v1/conversations/${id}/messages`, { text: 'With both.' }))
    const later = await eventually(async () => platform.messages().find(each => each.json.text === 'With both.'))
    const header = String(later.headers['x-service-signature'])
    for (const each of [renewed, secret]) assert.ok(verifyWebhook(each, header, later.body.toString(), seconds()))
    assert.equal(header.match(/v1=/g)?.length, 2)
  })
})

suite('web chat', () => {
  test('its lines, its policy and its program do what it says', async () => {
    const guide = 'channels/web-chat'
    const shop = await app.tenant()
    const said = await run(commandOf(guide, 'channel create'), { tenant: shop.id })
    const [channel, secret] = [shown(said, 'id'), shown(said, 'secret')]
    const inPlace = (text: string) =>
      text.trim().replaceAll('{base_url}', BASE_URL).replaceAll('{origin}', BASE_URL).replaceAll('chn_…', channel)
    const [line, worded, identified] = blocksOf(guide, 'html').map(inPlace)
    assert.equal(line, snippetOf(BASE_URL, channel))
    assert.ok(said.includes(line as string))
    assert.deepEqual(
      commandsOf(guide).filter(each => each.includes('conversation')),
      FOLLOW,
    )
    const page = await fetch(
      /`(\{base_url\}\/chat\/try\/chn_…)`/.exec(guideText(guide))?.[1]?.replace('{base_url}', BASE_URL).replace('chn_…', channel) as string,
    )
    const policy = inPlace(blocksOf(guide, 'http')[0] as string).replace('Content-Security-Policy: ', '')
    assert.deepEqual([page.status, page.headers.get('content-security-policy'), policyFor(BASE_URL)], [200, policy, policy])
    assert.ok((await page.text()).includes(line as string))
    const words = JSON.parse(/data-texts='([^']+)'/.exec(worded as string)?.[1] as string) as object
    const known = Object.keys(textsFor('en', {}))
    assert.deepEqual(
      Object.keys(words).filter(each => !known.includes(each)),
      [],
    )

    const { identityOf } = await programOf(guide)
    const customer = { id: 'C-1', email: 'ada@example.com', name: 'Ada Lovelace' }
    const identity = (identityOf as (customer: object, secret: string) => string)(customer, secret)
    assert.equal(identity.slice(0, 12), /data-identity="([^"]{12})/.exec(identified as string)?.[1])
    const ask = async (path: string, body: object, token?: string) => {
      const headers = {
        Origin: 'https://shop.example',
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      }
      const answer = await fetch(`${BASE_URL}/api/chat/${channel}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.equal(answer.status, 200)
      return (await answer.json()) as { visitor_token: string }
    }
    const { visitor_token: token } = await ask('visitors', { identity })
    await ask('messages', { id: crypto.randomUUID(), text: 'Hello?' }, token)
    const { contact } = await conversationOf(shop, channel)
    assert.deepEqual([contact.name, contact.email], [customer.name, customer.email])
  })
})

/** The first program of a guide, as a module. @param name what it says at its top level and does not export */
async function programOf(guide: string, name?: string): Promise<Record<string, unknown>> {
  const file = join(folder, `${guide.replace('/', '-')}.mjs`)
  writeFileSync(file, `${blocksOf(guide, 'js')[0]}${name ? `\nexport { ${name} }\n` : ''}`)
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>
}
