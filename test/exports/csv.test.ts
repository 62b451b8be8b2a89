// CSV for spreadsheets and programs: no cell runs as a formula, and every value can be read back.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { exportables } from '../../src/catalog.ts'
import { columnsOf, headerOf, lineOf, unmarked } from '../../src/exports/csv.ts'
import type { Exportable } from '../../src/exports/exportable.ts'
import { formatter } from '../../src/exports/format.ts'
import { Order } from '../../src/orders/schema.ts'
import { drawn } from '../support/random.ts'

const noun = (resource: string) => exportables.find(each => each.resource === resource) as Exportable
const cells = (value: unknown): string => lineOf([{ name: 'a', path: ['a'] }], { a: value }).slice(0, -2)

suite('a cell', () => {
  const table: [unknown, string][] = [
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [-5, '-5'],
    [true, 'true'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded', '" padded"'],
    ['=1+1', "'=1+1"],
    ['+1+cmd', "'+1+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ["'=1", "''=1"],
    ['\n=1+1', '"\'\n=1+1"'],
    ['\nplain', '"\'\nplain"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    [' =1', "' =1"],
    ['  \u3000=1', "'  \u3000=1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u200b\u2060＝1', "'\u200b\u2060＝1"],
    ['\u0001\u0085@x', "'\u0001\u0085@x"],
    ["' =1", "'' =1"],
    [' plain', '" plain"'],
    [" '=1", `" '=1"`],
    ["'tis", "'tis"],
    ['-5', '-5'],
    ['+380441234567', '+380441234567'],
    ['+1.5', '+1.5'],
    [['a', 'b'], '"[""a"",""b""]"'],
    [{ x: '=1' }, '"{""x"":""=1""}"'],
    [[], '[]'],
  ]
  for (const [value, text] of table) test(`${JSON.stringify(value)} is ${JSON.stringify(text)}`, () => assert.equal(cells(value), text))

  test('never opens what a spreadsheet runs, and can always be read back', () => {
    const risky = fc.string({
      unit: fc.constantFrom(...'=+-@＝＠\'\t\r\n",;a1 \u00a0\ufeff\u200b\u3000'),
    })
    fc.assert(
      fc.property(risky, fc.string(), (one, other) => {
        const columns = ['a', 'b'].map(name => ({ name, path: [name] }))
        const [row] = parse(lineOf(columns, { a: one, b: other }), { record_delimiter: '\r\n' }) as string[][]
        for (const [index, text] of [one, other].entries()) {
          const cell = row?.[index] ?? ''
          assert.ok(!/^([\t\r\n]|[\s\u200b]*[=+\-@＝＠])/.test(cell) || /^[+-]\d+(\.\d+)?$/.test(cell), cell)
          assert.equal(unmarked(cell), text)
        }
      }),
      drawn(),
    )
  })
})

suite('columns', () => {
  test('of orders are each field, objects taken apart, lists and dictionaries whole', () => {
    const names = columnsOf(Order).map(({ name }) => name)
    for (const name of ['id', 'customer.email', 'shipping_address.city', 'payment.method', 'items', 'metadata', 'tags'])
      assert.ok(names.includes(name), name)
    for (const name of ['object', 'customer', 'items.sku', 'shipping_address']) assert.ok(!names.includes(name), name)
  })

  test('are those asked for, in that order and once; a path through a list has the values of all its elements', () => {
    const { head, piece } = formatter(noun('orders'), { format: 'csv', fields: 'number, customer,items.sku,number' })
    assert.equal(head.toString(), 'number,customer.contact_id,customer.name,customer.email,customer.phone,items.sku\r\n')
    const order = {
      number: 7,
      customer: { contact_id: null, name: 'Ada', email: 'a@b.example', phone: null },
      items: [{ sku: 'A' }, { sku: null }],
    }
    assert.equal(piece(Buffer.from(`${JSON.stringify(order)}\n`)).toString(), '7,,Ada,a@b.example,,"[""A"",null]"\r\n')
  })

  test('without a nested object are empty', () => {
    const columns = columnsOf(Order, ['payment', 'id'])
    assert.equal(lineOf(columns, { id: 'x', payment: null }), ',,,,x\r\n')
  })

  for (const { resource, item } of exportables)
    test(`of ${resource} have a header each, once`, () => {
      const names = headerOf(columnsOf(item)).trim().split(',')
      assert.ok(names.length > 10)
      assert.equal(new Set(names).size, names.length)
    })
})

test('a byte order mark opens the file, and only where it was asked for', () => {
  const head = (bom: boolean) => formatter(noun('products'), { format: 'csv', fields: 'id', bom }).head
  assert.deepEqual([...head(true).subarray(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(head(false).toString(), 'id\r\n')
})
