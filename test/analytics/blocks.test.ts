// Days in blocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, nextBlock, wholeBlocks } from '../../src/analytics/blocks.ts'

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
