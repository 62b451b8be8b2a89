// What answers say beside their status: Meta's error codes, each row of the table of answers, also where a failure is reported later; and for how long a rest is
// asked for. How fast platforms are sent to, and when one that is failing is tried.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Sender } from '../../src/channels/platforms/sender.ts'
import { SENDERS } from '../../src/channels/platforms/senders.ts'
import { read } from '../../src/channels/platforms/whatsapp/read.ts'
import { HEALTHY, nextProbe, stopped } from '../../src/channels/sending/health.ts'
import { paceOf } from '../../src/channels/sending/pace.ts'
import { verdictOf } from '../../src/channels/sending/verdict.ts'
import type { Answer } from '../../src/outbound/outcome.ts'

interface Row {
  errors: { code: number; error_subcode?: number; is_transient?: boolean }[]
  answered: string
  /** Our code, where it is told of after the message was taken. */
  reported: string
  /** Whether the customer cannot be written to by it, until they write. */
  isBlock?: true
}
const of = (...codes: number[]) => codes.map(code => ({ code }))

const ROWS: Row[] = [
  { errors: of(4, 17, 32, 613, 80007, 130429, 131056, 131057), answered: 'held', reported: 'rejected' },
  { errors: [...of(1, 2, 131000, 131016), { code: 999, is_transient: true }], answered: 'again', reported: 'rejected' },
  { errors: of(190, 10, 200, 230, 299, 368, 131031, 131048), answered: 'credentials', reported: 'rejected' },
  { errors: of(131026, 551), answered: 'recipient_unreachable', reported: 'recipient_unreachable', isBlock: true },
  { errors: of(131030), answered: 'recipient_unreachable', reported: 'recipient_unreachable' },
  {
    errors: [{ code: 131047 }, { code: 10, error_subcode: 2018278 }, { code: 10, error_subcode: 2534022 }],
    answered: 'reply_window_closed',
    reported: 'reply_window_closed',
  },
  { errors: [...of(100, 199, 300, 131051), { code: 100, error_subcode: 2018278 }], answered: 'rejected', reported: 'rejected' },
]

const answer = (status: number, error: object): Answer => ({
  status,
  headers: {},
  body: JSON.stringify({ error: { message: 'Words', ...error } }),
  truncated: false,
  timings: {} as Answer['timings'],
})

function answered(platform: PlatformName, status: number, error: object): string {
  const verdict = verdictOf(SENDERS[platform] as Sender, answer(status, error), 0)
  return verdict.kind === 'failed' ? verdict.code : verdict.kind
}

function reported(error: object): unknown[] {
  const status = { id: 'wamid.1', status: 'failed', timestamp: '1780000000', recipient_id: '15550001111', errors: [error] }
  const change = { field: 'messages', value: { metadata: { phone_number_id: '1' }, statuses: [status] } }
  const updates = read({ object: 'whatsapp_business_account', entry: [{ changes: [change] }] }).map(each => each.update)
  return updates.map(each => (each.kind === 'receipt' ? each.error?.code : each.kind))
}

suite('Meta’s error', () => {
  for (const { errors, isBlock = false, ...row } of ROWS)
    for (const error of errors)
      test(`${JSON.stringify(error)} is ${row.answered} in an answer, whatever the status, and ${row.reported} when it is reported later`, () => {
        for (const platform of ['whatsapp', 'facebook', 'instagram'] as const)
          for (const status of [200, 400, 403, 500])
            if (row.answered !== 'rejected' || status === 400) assert.equal(answered(platform, status, error), row.answered)
        assert.deepEqual(reported(error), [row.reported, ...(isBlock ? ['reachability'] : [])])
      })
})

suite('a rest that is asked for', () => {
  const held = (platform: PlatformName, given: Partial<Answer>): number | undefined => {
    const verdict = verdictOf(SENDERS[platform] as Sender, { ...answer(429, {}), body: '{}', ...given }, Date.parse('2026-05-28T20:26:40Z'))
    return verdict.kind === 'held' ? verdict.forMs : undefined
  }
  const byHeader = (value: string) => held('api', { headers: { 'retry-after': value } })
  const byTelegram = (retry_after: unknown) => held('telegram', { body: JSON.stringify({ ok: false, parameters: { retry_after } }) })

  test('is as long as it says, from a second to an hour', () => {
    assert.deepEqual(['30', 'Thu, 28 May 2026 20:27:40 GMT'].map(byHeader), [30_000, 60_000])
    for (const none of ['0', '-5', 'Thu, 01 Jan 1970 00:00:00 GMT']) assert.equal(byHeader(none), 1_000, none)
    for (const none of [0, -1, -1e308, 0.001]) assert.equal(byTelegram(none), 1_000, `${none}`)
    for (const long of ['9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) assert.equal(byHeader(long), 3_600_000, long)
    assert.equal(byTelegram(1e308), 3_600_000)
  })

  test('is six seconds where it says nothing of use', () => {
    for (const none of ['', 'soon']) assert.equal(byHeader(none), 6_000, none)
    for (const none of [undefined, null, '7', {}, []]) assert.equal(byTelegram(none), 6_000, `${none}`)
  })
})

suite('a failing channel', () => {
  /** When it is probed, in seconds after it stopped, where each probe ends at once. */
  const probes = (reason: 'platform' | 'credentials') => {
    const times = [0]
    for (const probes of [0, 1, 2, 3, 4])
      times.push(nextProbe({ ...stopped(HEALTHY, reason, 0), probes }, 1_000 * (times.at(-1) as number)) / 1_000)
    return times.slice(1)
  }

  test('is probed after 5, 15 and 60 seconds and then every minute; every ten minutes where its credentials are refused', () => {
    assert.deepEqual(probes('platform'), [5, 15, 60, 120, 180])
    assert.deepEqual(probes('credentials'), [600, 1_200, 1_800, 2_400, 3_000])
  })

  test('is not probed at once after a probe that took long', () => {
    assert.equal(nextProbe({ ...stopped(HEALTHY, 'platform', 0), probes: 1 }, 14_000), 19_000)
  })
})

suite('the pace', () => {
  for (const [platform, most, conversation] of [
    ['telegram', { second: 25, burst: 30 }, { every: 1_000, saved: 3 }],
    ['whatsapp', { second: 60, burst: 72 }, { every: 6_000, saved: 10 }],
    ['facebook', { second: 30, burst: 36, heavy: 8 }, { every: 1_000, saved: 3 }],
    ['instagram', { second: 30, burst: 36, heavy: 8 }, { every: 1_000, saved: 3 }],
    ['api', { second: 50, burst: 60 }, undefined],
  ] as const)
    test(`of ${platform} is below what the platform allows, in any second`, () => {
      const { channel, conversation: own, heavy } = paceOf(platform, {} as never)
      const inSecond = (everyMs: number, savedMs = 0) => Math.round((1_000 + savedMs) / everyMs)
      assert.deepEqual(
        {
          second: inSecond(channel.everyMs),
          burst: inSecond(channel.everyMs, channel.savedMs),
          ...(heavy && { heavy: inSecond(heavy.everyMs) }),
        },
        most,
      )
      assert.deepEqual(own && { every: own.everyMs, saved: own.savedMs / own.everyMs + 1 }, conversation)
      const limited = paceOf(platform, { max_per_second: 20 } as never).channel
      assert.equal(inSecond(limited.everyMs, limited.savedMs), 20)
    })
})
