// Rows sent as arrays of their columns arrive unchanged, whatever they hold.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { arrayText, columns } from '../../src/postgres/row-set.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { testDatabase } from '../support/database.ts'

const { url, drop } = await testDatabase()
const { sql, close } = openDatabase(url, { name: 'test', pool: 1 })
after(async () => {
  await close()
  await drop()
})

const TEXTS = [
  '',
  ' ',
  'plain',
  'null',
  'NULL',
  '{}',
  '{a,b}',
  'a,b',
  '"',
  '\\',
  '\\"',
  '\\n',
  'line\nline\r\n\ttab',
  '\u0001\u001f\u007f',
  '\u2028\u2029\ufeff',
  'Кухоль 👕 é',
  "it's",
  '{"a":"b\\"c","d":"\\n"}',
  '\n"\\,{}',
]

test('texts of every kind, each alone and all together', async () => {
  const table = columns({ text: 'text' })
  for (const texts of [...TEXTS.map(text => [text]), TEXTS, TEXTS.toReversed()]) {
    const rows = await sql`select r.text from ${table.of(texts.map(text => ({ text })))}`
    assert.deepEqual(
      rows.map(row => row['text']),
      texts,
    )
  }
})

test('half a character, which the cut of a long text may leave, is not taken for letters', async () => {
  const [row] = await sql`select r.text from ${columns({ text: 'text' }).of([{ text: '"👕"'.slice(0, 2) }])}`
  assert.equal(row?.['text'], '"\ufffd')
})

test('numbers, booleans, times, JSON and nulls, beside texts that need care', async () => {
  const table = columns({ name: 'text', count: 'integer', amount: 'bigint', on: 'boolean', at: 'timestamptz', data: 'jsonb' })
  const given = [
    { name: 'a\nb', count: -1, amount: 9_000_000_000, on: true, at: '2026-05-28T20:26:40.123Z', data: '{"a":"\\n\\"","b":[1,null]}' },
    { name: null, count: null, amount: null, on: null, at: null, data: null },
    { name: '"', count: 0, amount: 0, on: false, at: '1999-12-31T23:59:59.999Z', data: '[]' },
  ]
  const rows = await sql`select ${table.names} from ${table.of(given)}`
  assert.deepEqual(
    rows.map(row => ({ ...row, at: row['at']?.toISOString() ?? null, data: row['data'] && JSON.stringify(row['data']) })),
    given,
  )
})

test('JSON arrives letter by letter as text, and as what it means as jsonb', async () => {
  const docs = [...TEXTS.map(text => JSON.stringify({ [text]: [text] })), null, ' { "a" : 1 } ', '0', 'null', '""']
  const rows = await sql`select * from ${columns({ doc: 'json', data: 'jsonb' }).of(docs.map(doc => ({ doc, data: doc })))}`
  assert.deepEqual(
    rows.map(row => row['doc']),
    docs,
  )
  assert.deepEqual(
    rows.map(row => row['data']),
    docs.map(doc => doc && JSON.parse(doc)),
  )
  const half = JSON.stringify('\ud83d')
  const [row] = await sql`select doc from ${columns({ doc: 'json' }).of([{ doc: half }])}`
  assert.equal(row?.['doc'], half)
})

test('each row has its place, where that is asked for', async () => {
  const rows = await sql`select r.n, r.text from ${columns({ text: 'text' }).numbered([{ text: 'b' }, { text: 'a' }])} order by r.n`
  assert.deepEqual(
    rows.map(row => [row['n'], row['text']]),
    [
      [1, 'b'],
      [2, 'a'],
    ],
  )
})

test('no rows are no rows', async () => {
  assert.equal((await sql`select 1 from ${columns({ text: 'text' }).of([])}`).length, 0)
})

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

test('numbers arrive exactly, and what is all null is null throughout', async () => {
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
