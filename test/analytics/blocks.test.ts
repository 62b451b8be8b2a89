// Days of time zones, and days in blocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, nextBlock, wholeBlocks } from '../../src/analytics/blocks.ts'
import { dayOf, localDays } from '../../src/analytics/days.ts'

test('each day is in one block of five, over months and leap days', () => {
  assert.equal(blockOf('2000-01-01'), '2000-01-01')
  assert.deepEqual(['2024-02-24', '2024-02-28', '2024-02-29', '2024-03-04'].map(blockOf), [
    '2024-02-24',
    '2024-02-24',
    '2024-02-29',
    '2024-02-29',
  ])
  assert.equal(nextBlock('2024-02-29'), '2024-03-05')
})

test('of days in a row those in the middle are whole blocks, and none of a few days', () => {
  assert.deepEqual(wholeBlocks('2024-02-24', '2024-02-28'), { from: '2024-02-24', to: '2024-02-29' })
  assert.deepEqual(wholeBlocks('2024-02-23', '2024-03-05'), { from: '2024-02-24', to: '2024-03-05' })
  assert.deepEqual(wholeBlocks('2024-02-25', '2024-03-03'), { from: '2024-02-25', to: '2024-02-25' })
  assert.deepEqual(wholeBlocks('2024-02-24', '2024-02-24'), { from: '2024-02-24', to: '2024-02-24' })
})

test('a day is as long as its zone has it, from whichever moment of it', () => {
  for (const [zone, date, from, hours] of [
    ['UTC', '2026-11-27', '2026-11-27T00:00:00Z', 24],
    ['Europe/Kyiv', '2026-03-29', '2026-03-29T00:00:00+02:00', 23],
    ['Europe/Kyiv', '2026-10-25', '2026-10-25T00:00:00+03:00', 25],
    ['America/Havana', '2026-11-01', '2026-11-01T00:00:00-04:00', 25],
    ['Asia/Beirut', '2026-03-29', '2026-03-29T01:00:00+03:00', 23],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-05T00:00:00+11:00', 24.5],
    ['Asia/Kathmandu', '2026-11-27', '2026-11-27T00:00:00+05:45', 24],
    // A zone that is known no more.
    ['Mars/Olympus', '2026-11-27', '2026-11-27T00:00:00Z', 24],
  ] as const) {
    const first = Date.parse(from)
    const next = first + hours * 3_600_000
    for (const at of [first, first + 12 * 3_600_000, next - 1])
      assert.deepEqual(dayOf(zone, at), { date, from: first, to: next }, `${zone} at ${new Date(at).toISOString()}`)
    assert.equal(dayOf(zone, first - 1).to, first)
    assert.equal(dayOf(zone, next).from, next)
  }
})

test('a date that a zone left out is no day', () => {
  assert.deepEqual(
    localDays('Pacific/Apia', Date.parse('2011-12-31T12:00:00+14:00'), 3).map(({ date }) => date),
    ['2011-12-28', '2011-12-29', '2011-12-31'],
  )
})
