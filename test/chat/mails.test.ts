// Answers that a visitor has not seen come by mail: all in one, three a day, with a link that goes on with the talk and one that ends such mails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAT_MAILS_TO_ADDRESS } from '../../src/limits/chat.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { aPerson } from '../support/people.ts'
import { aChat, type Chat, identity, ORIGIN } from './chatting.ts'

const OF_WORKSPACE = CHAT_MAILS_TO_ADDRESS + 3
const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000', CHAT_MAILS_PER_WORKSPACE: `${OF_WORKSPACE}` })
await app.startWorker()

let count = 0
interface Mail {
  subject: string
  text: string
  recipient: string
  unsubscribe: string | null
}

interface Talk extends Chat {
  token: string
  conversation: string
  answer(text: string): Promise<string>
  /** Five minutes go by. */
  wait(): Promise<void>
  mails(): Promise<Mail[]>
}

async function aTalk(over: object = {}, page = `${ORIGIN}/shoes`, settings = {}): Promise<Talk> {
  const chat = await aChat(app, { title: 'Shoes & Co', ...settings })
  const { token } = await chat.visitor()
  const said = { id: `message-of-mine-${++count}`, text: 'Hello?', page, email: 'eve@example.com', ...over }
  assert.equal((await chat.ask('messages', { token, body: said })).status, 200)
  const conversation = await eventually(async () => ok(await chat.shop.get('/api/v1/conversations')).data[0]?.id as string | undefined)
  return {
    ...chat,
    token,
    conversation,
    answer: async text => ok(await chat.shop.post(`/api/v1/conversations/${conversation}/messages`, { text })).id,
    async wait() {
      const jobs = () => app.sql`
        select 1 from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'chat/mail-unread'
         where j.payload ->> 'tenantId' = ${chat.shop.id} and j.run_at < now() + interval '1 hour'`
      await app.sql`update graphile_worker._private_jobs set run_at = now() where payload ->> 'tenantId' = ${chat.shop.id} and run_at < now() + interval '1 hour'`
      await eventuallyHolds(async () => assert.equal((await jobs()).length, 0))
    },
    mails: async () => [
      ...(await app.sql<Mail[]>`select subject, text, recipient, unsubscribe from mails where tenant_id = ${chat.shop.id} order by id`),
    ],
  }
}

/** Another visitor writes to the chat, leaves this address, and is answered. */
async function answeredAs({ shop, visitor, ask }: Talk, email: string, identity?: string): Promise<void> {
  const text = `Hello from ${++count}`
  const { token } = await visitor(identity === undefined ? {} : { identity })
  assert.equal((await ask('messages', { token, body: { id: `message-of-mine-${count}`, text, email } })).status, 200)
  const conversation = await eventually(async () => {
    const { data } = ok(await shop.get('/api/v1/conversations?limit=100'))
    return data.find((each: { last_message: { text: string } }) => each.last_message.text === text)?.id as string | undefined
  })
  ok(await shop.post(`/api/v1/conversations/${conversation}/messages`, { text: 'Hi' }))
}

const secretIn = (text: string): string => /#shopdesk-chat=(\w+)/.exec(text)?.[1] ?? assert.fail(text)

test('what was not seen for five minutes is mailed, all in one mail, and once', async () => {
  const talk = await aTalk()
  await talk.answer('One')
  assert.deepEqual(await talk.mails(), [])
  await talk.answer('Two\nlines')
  await talk.wait()
  const [mail, ...others] = await talk.mails()
  assert.deepEqual(others, [])
  assert.deepEqual([mail?.recipient, mail?.subject], ['eve@example.com', 'Shoes & Co has answered you'])
  assert.match(mail?.text ?? '', /One[\s\S]*Two\nlines[\s\S]*https:\/\/shop\.example\.com\/shoes#shopdesk-chat=\w{40}\.\w{8}\n/)
  assert.match(mail?.text ?? '', new RegExp(`${app.config.baseUrl}/chat/stop/${talk.id}/\\w{40}`))
  await talk.wait()
  assert.equal((await talk.mails()).length, 1)
})

test('what was seen, what was told to nobody, and a note is not mailed', async () => {
  const seen = await aTalk()
  const id = await seen.answer('Seen')
  assert.equal((await seen.ask('seen', { token: seen.token, body: { message_id: id } })).status, 204)
  await eventuallyHolds(async () => {
    const { data } = ok(await seen.shop.get(`/api/v1/conversations/${seen.conversation}/messages`))
    assert.equal(data[0].status, 'read')
  })
  await seen.wait()
  const nameless = await aTalk({ email: undefined })
  await nameless.answer('Where to?')
  await nameless.wait()
  const noted = await aTalk()
  ok(await noted.shop.post(`/api/v1/conversations/${noted.conversation}/messages`, { text: 'A note', private: true }))
  await noted.wait()
  for (const each of [seen, nameless, noted]) assert.deepEqual(await each.mails(), [])
})

test('an address that another contact has is mailed to as well, and is not filled in', async () => {
  const taken = `ordered-${++count}@example.com`
  const talk = await aTalk({ email: undefined })
  const before = ok(await talk.shop.post('/api/v1/contacts', { email: taken }))
  const left = { id: `message-of-mine-${++count}`, email: taken }
  assert.equal((await talk.ask('messages', { token: talk.token, body: left })).status, 200)
  await eventuallyHolds(async () => {
    const { data } = ok(await talk.shop.get('/api/v1/contacts'))
    assert.deepEqual(data.map((each: { channels: { handle: string }[] }) => each.channels[0]?.handle ?? null).sort(), [null, taken].sort())
  })
  await talk.answer('Here you are')
  await talk.wait()
  assert.deepEqual(
    (await talk.mails()).map(each => each.recipient),
    [taken],
  )
  const [{ contact }] = ok(await talk.shop.get('/api/v1/conversations')).data
  assert.deepEqual([contact.id === before.id, contact.email], [false, null])
})

test('three mails a day and conversation: the fourth comes a day after the first, with all that came meanwhile', async () => {
  const talk = await aTalk()
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) {
    await talk.answer(text)
    await talk.wait()
  }
  assert.equal((await talk.mails()).length, 3)
  await app.sql`update chat_mails set created_at = created_at - interval '1 day' where tenant_id = ${talk.shop.id}`
  await app.sql`update graphile_worker._private_jobs set run_at = now() where payload ->> 'tenantId' = ${talk.shop.id}`
  await eventuallyHolds(async () => assert.equal((await talk.mails()).length, 4))
  const text = (await talk.mails())[3]?.text ?? ''
  assert.ok(text.includes('Four') && text.includes('Five') && !text.includes('Three'))
})

test('the link goes on with the talk, once, within a week, on this chat alone', async () => {
  const talk = await aTalk()
  await talk.answer('Still here?')
  await talk.wait()
  const secret = secretIn((await talk.mails())[0]?.text ?? '')
  const other = await aChat(app)
  const resume = (chat: Chat, token?: string) => chat.ask('visitors', { token, body: { resume: secret } })
  assert.equal((await resume(other)).status, 422)
  await app.sql`update chat_mails set created_at = created_at - interval '8 days' where tenant_id = ${talk.shop.id}`
  assert.equal((await resume(talk)).body.code, 'link_used')
  await app.sql`update chat_mails set created_at = now() where tenant_id = ${talk.shop.id}`
  const replies = await Promise.all([resume(talk), resume(talk), resume(talk)])
  assert.deepEqual(replies.map(each => each.status).sort(), [200, 422, 422])
  const token = replies.find(each => each.status === 200)?.body.visitor_token
  const { data } = (await talk.ask('messages', { token })).body
  assert.deepEqual(
    data.map((each: { text: string }) => each.text),
    ['Hello?', 'Still here?'],
  )
})

test('the link works again for the visitor who has used it, whose answer may be lost, and is not used up where the talk is', async () => {
  const talk = await aTalk()
  await talk.answer('Still here?')
  await talk.wait()
  const secret = secretIn((await talk.mails())[0]?.text ?? '')
  const resume = (token?: string) => talk.ask('visitors', { token, body: { resume: secret } })
  const [phone, stranger] = [await talk.visitor(), await talk.visitor()]
  assert.equal((await resume(talk.token)).status, 200)
  const [first, again] = [await resume(phone.token), await resume(phone.token)]
  assert.deepEqual([first.status, again.status, again.body.id], [200, 200, first.body.id])
  assert.equal((await resume(again.body.visitor_token)).status, 200)
  for (const token of [stranger.token, undefined]) assert.equal((await resume(token)).body.code, 'link_used')
})

test('the other link ends the mails, when its button is pressed and not before', async () => {
  const talk = await aTalk()
  await talk.answer('One')
  await talk.wait()
  const path = new URL(/https:\S+\/chat\/stop\/\S+/.exec((await talk.mails())[0]?.text ?? '')?.[0] ?? '').pathname
  const page = await fetch(app.url + path)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.match(await page.text(), /<form method="post"/)
  await talk.answer('Two')
  await talk.wait()
  assert.equal((await talk.mails()).length, 2)
  const done = await fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: '' })
  assert.equal(done.status, 200)
  assert.match(await done.text(), /Done/)
  await talk.answer('Three')
  await talk.wait()
  assert.equal((await talk.mails()).length, 2)
  for (const wrong of [path.slice(0, -1), `${path.slice(0, -40)}${'a'.repeat(40)}`])
    assert.equal((await fetch(app.url + wrong, { method: 'POST' })).status, 404)
})

test('the button of a mail program ends the mails by one POST, of either kind of form, as often as it is pressed; asking for the address ends nothing', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'] as const) {
    const talk = await aTalk()
    await talk.answer('One')
    await talk.wait()
    const [mail] = await talk.mails()
    assert.ok(mail?.unsubscribe && mail.text.includes(mail.unsubscribe))
    const path = new URL(mail.unsubscribe).pathname
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(app.url + path, { method })).status, 200)
    await talk.answer('Two')
    await talk.wait()
    assert.equal((await talk.mails()).length, 2)
    const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
    form.append('List-Unsubscribe', 'One-Click')
    for (const _ of [1, 2]) {
      const { status, redirected } = await fetch(app.url + path, { method: 'POST', body: form })
      assert.deepEqual([type, status, redirected], [type, 200, false])
    }
    await talk.answer('Three')
    await talk.wait()
    assert.equal((await talk.mails()).length, 2)
  }
})

test('an address that many visitors type is mailed to so often a day, and no more once its owner has ended the mails', async () => {
  const talk = await aTalk()
  for (let n = 0; n <= CHAT_MAILS_TO_ADDRESS; n++) await answeredAs(talk, n % 2 ? 'victim@example.com' : 'Victim@example.com')
  await answeredAs(talk, 'other@example.com')
  await talk.wait()
  const to = async (address: string) => (await talk.mails()).filter(each => each.recipient.toLowerCase() === address)
  assert.deepEqual([(await to('victim@example.com')).length, (await to('other@example.com')).length], [CHAT_MAILS_TO_ADDRESS, 1])

  const path = new URL(/https?:\S+\/chat\/stop\/\S+/.exec((await to('other@example.com'))[0]?.text ?? '')?.[0] ?? '').pathname
  assert.equal((await fetch(app.url + path, { method: 'POST' })).status, 200)
  await answeredAs(talk, 'OTHER@example.com')
  await talk.wait()
  assert.equal((await to('other@example.com')).length, 1)
})

test('a word behind a plus, and Gmail’s dots, make no other address', async () => {
  const talk = await aTalk()
  for (let n = 0; n <= CHAT_MAILS_TO_ADDRESS; n++) await answeredAs(talk, n % 2 ? `victim+${n}@example.com` : 'victim@EXAMPLE.com')
  for (const other of ['v.ictim@example.com', 'vic.tim@gmail.com']) await answeredAs(talk, other)
  await talk.wait()
  const to = async (part: RegExp) => (await talk.mails()).filter(each => part.test(each.recipient))
  assert.deepEqual([(await to(/^victim/)).length, (await to(/\./)).length - (await to(/^victim/)).length], [CHAT_MAILS_TO_ADDRESS, 2])
  const path = new URL(/https?:\S+\/chat\/stop\/\S+/.exec((await to(/gmail/))[0]?.text ?? '')?.[0] ?? '').pathname
  assert.equal((await fetch(app.url + path, { method: 'POST' })).status, 200)
  await answeredAs(talk, 'Victim+again@googlemail.com')
  await talk.wait()
  assert.equal((await to(/g(oogle)?mail/)).length, 1)
})

test('to addresses that visitors have typed a workspace mails so often a day, of which its admins hear once; what is proven does not count', async () => {
  const talk = await aTalk()
  await aPerson(app.sql, talk.shop.id, 'admin@shop.example')
  for (let n = 0; n < OF_WORKSPACE + 2; n++) await answeredAs(talk, `stranger${n}@example.com`)
  await talk.wait()
  const to = async (part: RegExp) => (await talk.mails()).filter(each => part.test(each.recipient))
  assert.equal((await to(/^stranger/)).length, OF_WORKSPACE)
  const told = await to(/^admin/)
  assert.equal(told.length, 1)
  assert.match(told[0]?.text ?? '', new RegExp(`${OF_WORKSPACE} answers were mailed within a day`))
  await answeredAs(talk, 'eve@example.com', identity(talk.secret, { email: 'customer@example.com' }))
  await talk.wait()
  assert.equal((await to(/^customer/)).length, 1)
})

test('of a visitor who types one address after another each owner ends the mails to their own', async () => {
  const talk = await aTalk({ email: 'first@example.com' })
  await talk.answer('One')
  await talk.wait()
  const again = { id: `message-of-mine-${++count}`, text: 'And again', email: 'second@example.com' }
  assert.equal((await talk.ask('messages', { token: talk.token, body: again })).status, 200)
  await talk.answer('Two')
  await talk.wait()
  const mails = await talk.mails()
  assert.deepEqual(
    mails.map(each => each.recipient),
    ['first@example.com', 'second@example.com'],
  )
  for (const { text } of mails) {
    const { pathname } = new URL(/https?:\S+\/chat\/stop\/\S+/.exec(text)?.[0] ?? '')
    assert.equal((await fetch(app.url + pathname, { method: 'POST' })).status, 200)
  }
  for (const email of ['first@example.com', 'Second@example.com']) await answeredAs(talk, email)
  await talk.wait()
  assert.equal((await talk.mails()).length, 2)
})

test('a page that is not the shop’s is in no mail, and one that is without its query and fragment', async () => {
  const [talk, other] = [await aTalk({}, 'https://evil.example/phish'), await aTalk({}, `${ORIGIN}/shoes?session=1#top`)]
  for (const each of [talk, other]) {
    await each.answer('Hi')
    await each.wait()
  }
  const [[mail], [theirs]] = [await talk.mails(), await other.mails()]
  assert.ok(theirs?.text.includes(`${ORIGIN}/shoes#shopdesk-chat=`), theirs?.text)
  assert.ok(mail && !mail.text.includes('evil') && mail.text.includes(`${ORIGIN}/#shopdesk-chat=`))
})

test('a blocked contact and a deleted channel get no mail', async () => {
  const [blocked, deleted] = [await aTalk(), await aTalk()]
  for (const each of [blocked, deleted]) await each.answer('Hi')
  const [{ contact }] = ok(await blocked.shop.get('/api/v1/conversations')).data
  ok(await blocked.shop.patch(`/api/v1/contacts/${contact.id}`, { blocked: true }))
  await app.sql`update channels set status = 'deleted' where id = ${deleted.id}`
  for (const each of [blocked, deleted]) {
    await each.wait()
    assert.deepEqual(await each.mails(), [])
  }
})
