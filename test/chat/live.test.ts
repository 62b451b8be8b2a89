// Streams of a web chat's visitors: their own talk, as it is said, and nothing else.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { typing } from '../../src/live/feed.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { nobody, ok, tell } from '../support/given.ts'
import { aChat, type Chat, ORIGIN } from './chatting.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
await app.startWorker()

interface Event {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
  data: any
}

const following: AbortController[] = []
after(() => {
  for (const each of following) each.abort()
})

interface Following {
  status: number
  headers: Headers
  events: Event[]
  texts(): string[]
  ended: Promise<void>
  leave(): void
}

/** Opens a stream as the script does. */
async function follow({ id }: Chat, token: string, lastEventId?: string): Promise<Following> {
  const leaving = new AbortController()
  following.push(leaving)
  const headers = { Origin: ORIGIN, Authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) }
  const response = await fetch(`${app.url}/api/chat/${id}/live`, { headers, signal: leaving.signal })
  const events: Event[] = []
  const read = async (): Promise<void> => {
    let text = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
        const event = field('event')
        if (event !== undefined) events.push({ id: field('id'), event, data: JSON.parse(field('data') ?? 'null') })
      }
    }
  }
  const ended = read().catch(() => {})
  const texts = () => events.filter(each => each.event === 'message').map(each => each.data.text)
  return { status: response.status, headers: response.headers, events, texts, ended, leave: () => leaving.abort() }
}

let count = 0
const say = ({ ask }: Chat, token: string, text: string) => ask('messages', { token, body: { id: `message-of-mine-${++count}`, text } })
const talkOf = ({ shop }: Chat): Promise<string> =>
  eventuallyHolds(async () => {
    const [conversation] = ok(await shop.get('/api/v1/conversations')).data
    assert.ok(conversation)
    return conversation.id
  })
const answer = async ({ shop }: Chat, conversation: string, text: string, over = {}) =>
  ok(await shop.post(`/api/v1/conversations/${conversation}/messages`, { text, ...over }))

test('a visitor sees what they say and what is answered, at once; notes and other talks never', async () => {
  const chat = await aChat(app)
  const [ada, eve] = [await chat.visitor(), await chat.visitor()]
  const [stream, other] = [await follow(chat, ada.token), await follow(chat, eve.token)]
  assert.equal(stream.status, 200)
  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(stream.headers.get('access-control-allow-origin'), ORIGIN)
  await say(chat, ada.token, 'Hello?')
  const talk = await talkOf(chat)
  await answer(chat, talk, 'A note', { private: true })
  const { id } = await answer(chat, talk, 'Hi!')
  await eventuallyHolds(async () => assert.deepEqual(stream.texts(), ['Hello?', 'Hi!']))
  const [mine, theirs] = stream.events
  assert.deepEqual([mine?.data.from, mine?.data.own_id.startsWith('message-of-mine'), theirs?.data.id], ['visitor', true, id])
  assert.match(theirs?.id ?? '', /^\d+$/)
  assert.deepEqual(other.events, [])
})

test('who comes back is sent what was said meanwhile, each as it is now', async () => {
  const chat = await aChat(app)
  const { token } = await chat.visitor()
  const first = await follow(chat, token)
  await say(chat, token, 'One')
  await eventuallyHolds(async () => assert.deepEqual(first.texts(), ['One']))
  first.leave()
  const talk = await talkOf(chat)
  for (const text of ['Two', 'Three']) await answer(chat, talk, text)
  const second = await follow(chat, token, first.events[0]?.id)
  await answer(chat, talk, 'Four')
  await eventuallyHolds(async () => assert.deepEqual([...new Set(second.texts())], ['One', 'Two', 'Three', 'Four']))
  const long = await follow(chat, token, '1')
  await eventuallyHolds(async () => assert.equal(long.events[0]?.event, 'reset', 'that is too long ago'))
})

test('who missed more than a stream may be behind gets all of it', async () => {
  const chat = await aChat(app)
  const { id, token } = await chat.visitor()
  await say(chat, token, 'Hello?')
  await talkOf(chat)
  const from = { ids: [id] }
  const texts = Array.from({ length: 400 }, (_, n) => `${n} ${'long '.repeat(800)}`)
  const since = String(Date.now())
  for (let at = 0; at < texts.length; at += 100)
    await tell(
      app,
      chat.shop,
      chat.id,
      texts.slice(at, at + 100).map((text, n) => ({
        kind: 'message' as const,
        thread: id,
        at: null,
        from,
        external_id: `many-${at + n}`,
        said: { text, media: [] },
      })),
    )
  const back = await follow(chat, token, since)
  await eventuallyHolds(async () => assert.equal(new Set(back.texts()).size, texts.length + 1))
  await say(chat, token, 'And on')
  await eventuallyHolds(async () => assert.equal(back.texts().at(-1), 'And on'))
  // After a message that is gone, as after a restore, there is nothing to ask for again and again.
  assert.equal((await chat.ask(`messages?after=${nobody('msg')}`, { token })).body.has_more, false)
})

test('typing is told both ways, and only in the talk', async () => {
  const chat = await aChat(app)
  const [ada, eve] = [await chat.visitor(), await chat.visitor()]
  await say(chat, ada.token, 'Hello?')
  const talk = await talkOf(chat)
  const [stream, other] = [await follow(chat, ada.token), await follow(chat, eve.token)]
  await eventuallyHolds(async () => {
    typing(chat.shop.id, { conversation_id: talk, by: 'operator', until: new Date().toISOString() })
    assert.ok(stream.events.some(each => each.event === 'typing' && Date.parse(each.data.until) > 0))
  })
  assert.deepEqual(other.events, [])

  const leaving = new AbortController()
  following.push(leaving)
  const staff = await fetch(`${app.url}/api/v1/conversations/live`, {
    headers: { Authorization: `Bearer ${chat.shop.key}` },
    signal: leaving.signal,
  })
  let heard = ''
  const listening = (async () => {
    for await (const piece of staff.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece
  })().catch(() => {})
  await eventuallyHolds(async () => {
    assert.equal((await chat.ask('typing', { token: ada.token, method: 'POST' })).status, 204)
    assert.match(heard, new RegExp(`event: typing\\ndata: .*"conversation_id":"${talk}","by":"customer"`))
  })
  leaving.abort()
  await listening
})

test('a visitor has three streams: one more ends the oldest, and no other', async () => {
  const chat = await aChat(app)
  const [ada, eve] = [await chat.visitor(), await chat.visitor()]
  const other = await follow(chat, eve.token)
  const streams = [
    await follow(chat, ada.token),
    await follow(chat, ada.token),
    await follow(chat, ada.token),
    await follow(chat, ada.token),
  ]
  await streams[0]?.ended
  await say(chat, ada.token, 'Hello?')
  await say(chat, eve.token, 'Hi')
  for (const each of streams.slice(1)) await eventuallyHolds(async () => assert.deepEqual(each.texts(), ['Hello?']))
  await eventuallyHolds(async () => assert.deepEqual(other.texts(), ['Hi']))
})

test('a token that is none opens no stream', async () => {
  const [chat, another] = [await aChat(app), await aChat(app)]
  const { token } = await another.visitor()
  for (const each of ['x', token]) assert.equal((await follow(chat, each)).status, 401)
})
