// Arrays written by hand, read back by PostgreSQL.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { arrayText } from '../../src/postgres/arrays.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { testDatabase } from '../support/database.ts'

const { url } = await testDatabase()
const { sql, close } = openDatabase(url, { name: 'arrays', pool: 1 })
after(close)

test('every text arrives as it was, whatever would end or begin an element, and null is not the word', async () => {
  const texts = [
    'a',
    '',
    ' ',
    'NULL',
    'null',
    null,
    '"',
    '\\',
    '\\"',
    '{}',
    '{',
    '}',
    ',',
    'a,b',
    "it's",
    '$1',
    'a\nb\t\r',
    '😀 ü',
    '\u0001',
  ]
  const rows = await sql`select t from unnest(${arrayText(texts)}::text::text[]) t`
  assert.deepEqual(
    rows.map(row => row['t']),
    texts,
  )
})

test('numbers arrive exactly, and what is all null is empty, which unnest fills up', async () => {
  const numbers = [0, -1, 1_795_181_022_123, 0.1, 1e-7, 1e21, null]
  const read = await sql`select n from unnest(${arrayText(numbers)}::text::float8[]) n`
  assert.deepEqual(
    read.map(row => row['n']),
    numbers,
  )
  const rows =
    await sql`select a, b from unnest(${arrayText([1, 2])}::text::integer[], ${arrayText([null, undefined])}::text::text[]) as u (a, b)`
  assert.deepEqual(
    rows.map(each => ({ ...each })),
    [
      { a: 1, b: null },
      { a: 2, b: null },
    ],
  )
})
