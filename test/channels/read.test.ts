import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PLATFORMS } from '../../src/channels/platforms/platforms.ts'
import { drawn } from '../support/random.ts'
import { api } from './fixtures/api.ts'
import type { Fixture } from './fixtures/fixture.ts'
import * as messenger from './fixtures/messenger.ts'
import { telegram } from './fixtures/telegram.ts'
import * as whatsapp from './fixtures/whatsapp.ts'

/** Its fixtures, and whose account they are of unless they say so. */
const OF: Record<Exclude<keyof typeof PLATFORMS, 'web'>, { fixtures: Fixture[]; account: string | null }> = {
  telegram: { fixtures: telegram, account: null },
  whatsapp: { fixtures: whatsapp.whatsapp, account: whatsapp.ACCOUNT },
  facebook: { fixtures: messenger.facebook, account: messenger.ACCOUNT },
  instagram: { fixtures: messenger.instagram, account: messenger.ACCOUNT },
  api: { fixtures: api, account: null },
}

const messengers = [
  ...['text', 'attachments', 'several files', 'location'].map(each => `message: ${each}`),
  ...['pressed choice: quick_reply', 'pressed choice: postback', 'quote', 'edit', 'deletion', 'reaction', 'reaction: withdrawn'],
  ...[
    'receipt: delivered',
    'receipt: read',
    'echo',
    'echo: ours',
    'other: kind',
    'other: update',
    'another account',
    'several',
    'unknown fields',
  ],
]

/** Each cell of the table of updates, and where it names several members, each of them. */
const CELLS: Record<Exclude<keyof typeof PLATFORMS, 'web'>, string[]> = {
  telegram: [
    ...['text', 'photo', 'video', 'video_note', 'animation', 'audio', 'voice', 'document', 'sticker', 'location', 'contact'].map(
      each => `message: ${each}`,
    ),
    ...[
      'pressed choice',
      'quote',
      'edit',
      'reaction',
      'reaction: withdrawn',
      'blocked us',
      'other: kind',
      'other: update',
      'unknown fields',
    ],
  ],
  whatsapp: [
    ...['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts', 'interactive', 'order'].map(
      each => `message: ${each}`,
    ),
    ...['pressed choice: button_reply', 'pressed choice: button', 'quote', 'edit', 'deletion', 'reaction', 'reaction: withdrawn'],
    ...['sent', 'delivered', 'read', 'failed'].map(each => `receipt: ${each}`),
    ...['echo', 'blocked us', 'renamed: system', 'renamed: user_id_update', 'person: two names', 'person: no number'],
    ...['other: kind', 'other: update', 'another account', 'several', 'unknown fields'],
  ],
  facebook: messengers,
  instagram: messengers,
  api: [
    ...['message: text', 'message: attachments', 'message: location', 'pressed choice', 'quote', 'edit', 'deletion', 'reaction'],
    ...['reaction: withdrawn', 'receipt: delivered', 'receipt: read', 'receipt: failed', 'echo'],
  ],
}

for (const [name, { fixtures, account }] of Object.entries(OF) as [keyof typeof OF, (typeof OF)['api']][]) {
  const { read } = PLATFORMS[name]

  test(`${name}: callbacks in the documented shape become updates`, () => {
    for (const { cell, callback, becomes, accounts } of fixtures) {
      const readings = read(callback)
      assert.deepEqual(
        readings.map(each => each.update),
        becomes,
        `${name}, ${cell}`,
      )
      const ignored = becomes.every(each => each.kind === 'ignored')
      if (!ignored)
        assert.deepEqual(
          readings.map(each => each.account),
          accounts ?? becomes.map(() => account),
          `${name}, ${cell}: whose they are`,
        )
    }
  })

  test(`${name}: each cell of the table of updates has a fixture that names its page and day`, () => {
    const cells = new Set(fixtures.map(each => each.cell))
    assert.deepEqual(
      CELLS[name].filter(each => !cells.has(each)),
      [],
    )
    for (const { page, looked_up } of fixtures) assert.match(`${page} ${looked_up}`, /\S+ \d{4}-\d\d-\d\d$/)
  })

  test(`${name}: whatever JSON comes is read into updates or ignored, and its texts can be stored`, () => {
    const documented = fixtures.map(each => each.callback)
    const mutated = fc.tuple(fc.constantFrom(...documented), fc.array(fc.nat(), { maxLength: 6 }), fc.jsonValue()).map(mutate)
    fc.assert(
      fc.property(fc.oneof(mutated, fc.jsonValue(), fc.object()), value => {
        const readings = read(value)
        assert.ok(readings.length > 0)
        const text = JSON.stringify(readings)
        assert.ok(!text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text), text)
        for (const { update } of readings) if (update.kind !== 'ignored') assert.ok(update.thread.length > 0 && update.thread.length <= 500)
      }),
      drawn(400),
    )
  })
}

/** Puts a value somewhere into a documented callback: the steps choose members one after another. */
function mutate([callback, steps, value]: [unknown, number[], unknown]): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof callback !== 'object' || callback === null) return value
  const keys = Object.keys(callback)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return value
  const copy: Record<string, unknown> = Array.isArray(callback) ? ([...callback] as never) : { ...callback }
  copy[key] = mutate([copy[key], rest, value])
  return copy
}

test('NUL and halves of surrogate pairs are mended, never refused', () => {
  const [reading] = PLATFORMS.telegram.read({
    message: {
      message_id: 1,
      from: { id: 7, first_name: 'A\u0000da\ud83d' },
      chat: { id: 7, type: 'private' },
      date: 1,
      text: 'a\u0000b\udc00',
    },
  })
  assert.equal(reading?.update.kind === 'message' && reading.update.said.text, 'a\ufffdb\ufffd')
  assert.equal(reading?.update.kind === 'message' && reading.update.from.name, 'A\ufffdda\ufffd')
})

test('names of Object’s own members are no kinds of message', () => {
  for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const message = { from: '16505551234', id: 'wamid.1', timestamp: '1', type, [type]: {} }
    const value = { metadata: { phone_number_id: '1' }, messages: [message], statuses: [{ id: 'x', status: type, recipient_id: '1' }] }
    const [read] = PLATFORMS.whatsapp.read({ object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value }] }] })
    assert.equal(read?.update.kind === 'message' && read.update.said.unsupported, type)
  }
})

test('one person’s card is proof of their number only if it is their own', () => {
  const card = (user_id: number) =>
    PLATFORMS.telegram.read({
      message: {
        message_id: 1,
        from: { id: 7 },
        chat: { id: 7, type: 'private' },
        contact: { phone_number: '380441234567', first_name: 'Ada', user_id },
      },
    })[0]?.update
  const provenBy = (update: ReturnType<typeof card>) => (update?.kind === 'message' ? update.from.proven : undefined)
  assert.deepEqual(provenBy(card(7)), { phone: '+380441234567' })
  assert.equal(provenBy(card(8)), undefined)
})
