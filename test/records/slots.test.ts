// What of a record needs no database: which fields get which columns, and which values are kept how.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Field, Resource } from '../../src/apps/manifest/shape.ts'
import { assignSlots } from '../../src/records/slots.ts'
import { missingValues, readValues } from '../../src/records/values.ts'
import { aManifest } from '../support/apps.ts'

const withFields = (fields: Field[], id = 'points') => aManifest({ resources: [{ id, name: 'Points', fields }] })
const texts = (count: number, prefix = 's'): Field[] =>
  Array.from({ length: count }, (_each, index) => ({ name: `${prefix}${index}`, type: 'string' }))
const slotsOf = (slots: ReturnType<typeof assignSlots>, id = 'points') => slots[id]?.map(({ name, slot }) => `${name} ${slot ?? '-'}`)

suite('slots', () => {
  test('the first eight texts, booleans and enums get one, and the first four numbers and dates', () => {
    const fields: Field[] = [
      { name: 'n', type: 'number' },
      { name: 'd', type: 'date' },
      { name: 'b', type: 'boolean' },
      { name: 'c', type: 'enum', enumValues: ['a'] },
      ...texts(7),
      ...['x', 'y', 'z'].map((name): Field => ({ name, type: 'number' })),
    ]
    const expected = ['n n1', 'd n2', 'b e1', 'c e2', 's0 e3', 's1 e4', 's2 e5', 's3 e6', 's4 e7', 's5 e8', 's6 -', 'x n3', 'y n4', 'z -']
    assert.deepEqual(slotsOf(assignSlots({}, withFields(fields))), expected)
  })

  test('a field keeps its slot whatever comes before it later, and a later one takes what is free', () => {
    const first = assignSlots({}, withFields(texts(2)))
    const next = assignSlots(first, withFields([{ name: 'new', type: 'number' }, { name: 'also', type: 'string' }, ...texts(2)]))
    assert.deepEqual(slotsOf(next), ['s0 e1', 's1 e2', 'new n1', 'also e3'])
    assert.deepEqual(
      next['points']?.map(each => each.late ?? false),
      [false, false, true, true],
    )
  })

  test('a field that is gone gives its slot back, and so does one of another type', () => {
    const first = assignSlots({}, withFields(texts(3)))
    const next = assignSlots(first, withFields([{ name: 's0', type: 'number' }, { name: 's2', type: 'string' }, ...texts(1, 't')]))
    assert.deepEqual(slotsOf(next), ['s2 e3', 's0 n1', 't0 e1'])
  })

  test('each resource has its own, whatever it is called', () => {
    const slots = assignSlots({}, withFields(texts(1), 'constructor'))
    assert.deepEqual(slotsOf(slots, 'constructor'), ['s0 e1'])
    assert.deepEqual(slotsOf(assignSlots(slots, withFields(texts(1), 'toString')), 'toString'), ['s0 e1'])
  })
})

const TYPED: Resource = {
  id: 'points',
  name: 'Points',
  fields: [
    { name: 'title', type: 'string', required: true },
    { name: 'amount', type: 'number' },
    { name: 'paid', type: 'boolean' },
    { name: 'on', type: 'date' },
    { name: 'tier', type: 'enum', enumValues: ['gold', 'Silver'] },
    { name: 'limit', type: 'number' },
  ],
}

suite('values', () => {
  const kept: [name: string, given: unknown, kept: unknown][] = [
    ['title', '', ''],
    ['title', '😀'.repeat(4000), '😀'.repeat(4000)],
    ['amount', 1.7976931348623157e308, 1.7976931348623157e308],
    ['amount', null, null],
    ['paid', false, false],
    ['on', '2024-02-29', '2024-02-29'],
    ['on', '2026-05-25T01:30:00+02:00', '2026-05-24T23:30:00.000Z'],
    ['on', '2026-05-25T01:30:00.1239Z', '2026-05-25T01:30:00.123Z'],
    ['tier', 'Silver', 'Silver'],
    ['limit', 5, 5],
  ]
  for (const [name, given, expected] of kept)
    test(`${name} keeps ${JSON.stringify(given)?.slice(0, 40)}`, () => {
      const { errors, values } = readValues(TYPED, { [name]: given })
      assert.deepEqual([errors, values], [[], { [name]: expected }])
    })

  const refused: [name: string, given: unknown, code: string][] = [
    ['title', null, 'required'],
    ['title', 5, 'invalid_type'],
    ['title', 'x'.repeat(4001), 'too_long'],
    ['title', ['x'], 'invalid_type'],
    ['amount', '5', 'invalid_type'],
    ['amount', Number.POSITIVE_INFINITY, 'invalid_type'],
    ['paid', 'true', 'invalid_type'],
    ['on', '2026-02-30', 'invalid_format'],
    ['on', '2026-05-25T01:30:00', 'invalid_format'],
    ['on', '0001-01-01T00:00:00+02:00', 'invalid_format'],
    ['on', '9999-12-31T23:30:00-02:00', 'invalid_format'],
    ['on', 1779950000, 'invalid_type'],
    ['tier', 'silver', 'invalid_choice'],
    ['tier', {}, 'invalid_choice'],
    ['titel', 'x', 'unknown_field'],
    ['constructor', 'x', 'unknown_field'],
    ['__proto__', 'x', 'unknown_field'],
    ['links', [], 'reserved_field'],
    ['id', 'rec_1', 'reserved_field'],
  ]
  for (const [name, given, code] of refused)
    test(`${name} refuses ${JSON.stringify(given)?.slice(0, 40)}: ${code}`, () => {
      const { errors } = readValues(TYPED, Object.fromEntries([[name, given]]))
      assert.deepEqual(
        errors.map(each => [each.field, each.code]),
        [[name, code]],
      )
    })

  test('a mistyped name is told with the one that was meant', () => {
    assert.match(readValues(TYPED, { titl: 'x' }).errors[0]?.message ?? '', /did you mean title\?/)
  })

  test('of thousands of names the first hundred are told, in a moment and in few words', () => {
    const fields = Array.from({ length: 40 }, (_each, index): Field => ({ name: `${'n'.repeat(60)}${index}`, type: 'string' }))
    const given = Object.fromEntries(Array.from({ length: 5_000 }, (_each, index) => [`${'m'.repeat(90)}${index}`, 1]))
    const began = process.cpuUsage()
    const { errors } = readValues({ ...TYPED, fields }, given)
    const { user } = process.cpuUsage(began)
    assert.equal(errors.length, 100)
    assert.ok(JSON.stringify(errors).length < 50_000)
    assert.ok(user < 100_000, `${user} µs`)
  })

  test('of a new record the required fields are missed, by name', () => {
    assert.deepEqual(
      missingValues(TYPED, { amount: 1 }).map(each => [each.field, each.code]),
      [['title', 'required']],
    )
  })
})
