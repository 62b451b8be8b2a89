import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { showLines, table } from '../../src/cli/output.ts'

const lines = [
  ['id', 'status', 'customer', 'last message'],
  ['conv_1', 'open', 'Ada', 'Do you have it in blue?'],
  ['conv_2', 'closed', 'Grace Hopper', 'Thanks'],
]

test('a table that fits has a row for each line', () => {
  assert.deepEqual(table(lines, 60), [
    'id      status  customer      last message',
    'conv_1  open    Ada           Do you have it in blue?',
    'conv_2  closed  Grace Hopper  Thanks',
  ])
})

test('in a narrower terminal the same columns of each line go on below, and what is longer than a row is cut', () => {
  assert.deepEqual(table(lines, 24), [
    'id      status',
    '    customer',
    '    last message',
    'conv_1  open',
    '    Ada',
    '    Do you have it in b…',
    'conv_2  closed',
    '    Grace Hopper',
    '    Thanks',
  ])
  assert.ok(table(lines, 24).every(row => row.length <= 24))
})

test('what others wrote moves no cursor, nor clears the terminal, in lists neither', () => {
  const log = mock.method(console, 'log', () => {})
  showLines({ name: 'Ada\u001b[2J', tags: ['vip', '\u009b31mred\u2028', '\u202eder'] })
  const shown = log.mock.calls.map(({ arguments: [line] }) => line)
  log.mock.restore()
  assert.deepEqual(shown, ['name  Ada [2J', 'tags  vip,  31mred ,  der'])
})
