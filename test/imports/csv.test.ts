// CSV as spreadsheets and shops write it.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { csvRows, type Delimiter } from '../../src/imports/file/csv.ts'
import { asUtf8 } from '../../src/imports/file/encoding.ts'
import type { Rows } from '../../src/imports/file/row.ts'
import { ERRORS_MAX, FIELD_CHARS, JSON_BREADTH, JSON_VALUES_MAX } from '../../src/limits/bodies.ts'
import { CSV_COLUMNS_MAX } from '../../src/limits/imports.ts'
import { Problem } from '../../src/problems.ts'
import { NewProduct, Product } from '../../src/products/schema.ts'

/** Reads a file that comes in pieces of so many bytes. */
async function read(file: string | Buffer, size = 7, delimiter?: Delimiter): Promise<Rows> {
  const bytes = Buffer.from(file as string)
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const all: Rows = { good: [], bad: [] }
  for await (const { good, bad } of csvRows(
    asUtf8(pieces(), undefined),
    { schema: NewProduct, answer: Product, exported: 'taken' },
    delimiter,
  )) {
    all.good.push(...good)
    all.bad.push(...bad)
  }
  return all
}
const values = async (file: string | Buffer, size?: number) => (await read(file, size)).good.map(({ value }) => value)

async function refusal(file: string | Buffer, size?: number): Promise<{ field: string; code: string }[]> {
  const error = await read(file, size).then(
    () => assert.fail('it was read'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof Problem)
  return (error.members['errors'] as { field: string; code: string }[]).map(({ field, code }) => ({ field, code }))
}

suite('a CSV', () => {
  const shirt = { name: 'Shirt', price_amount: 4900 }

  for (const [what, file] of [
    ['with commas', 'name,price_amount\nShirt,4900\n'],
    ['with semicolons', 'name;price_amount\nShirt;4900\n'],
    ['with tabs', 'name\tprice_amount\nShirt\t4900\n'],
    ['with bars', 'name|price_amount\nShirt|4900\n'],
    ['with CRLF', 'name,price_amount\r\nShirt,4900\r\n'],
    ['with CRLF after a header with LF', 'price_amount,name\n4900,Shirt\r\n'],
    ['with LF after a header with CRLF', 'price_amount,name\r\n4900,"Shirt"\n\n'],
    ['with CR alone', 'price_amount,name\r\r4900,Shirt\r'],
    ['with CR twice before LF', 'price_amount,name\r\r\n4900,Shirt\r\r\n'],
    ['without a last line end', 'name,price_amount\nShirt,4900'],
    ['with a byte order mark', '\ufeffname,price_amount\nShirt,4900\n'],
    ['all quoted', '"name","price_amount"\n"Shirt","4900"\n'],
    ['with empty lines', '\n \nname,price_amount\n\nShirt,4900\n\n\n'],
    ['with empty lines before semicolons', '\r\n\r\nname;price_amount\r\nShirt;4900\r\n'],
    ['with lines of empty cells', 'name,price_amount\n,\nShirt,4900\n,\n, \n'],
    ['with columns without a name', 'name,price_amount,,\nShirt,4900,,\n'],
    ['with headers in other letters and with blanks', ' Name ,Price Amount\nShirt,4900\n'],
    ['with another shop’s name of a column', 'Title,Price-Amount\nShirt,4900\n'],
    ['with columns that only answers have', 'id,name,price_amount,created_at,stock_status\nprod_1,Shirt,4900,2026-01-01,in_stock\n'],
    ['with columns of parts that only answers have', 'name,price_amount,variants[0].id\nShirt,4900,var_1\n'],
    ['with empty cells behind the last column', 'name,price_amount\nShirt,4900,, ,\n'],
    ['with a line for Excel that names the delimiter', 'sep=;\r\nname;price_amount\r\nShirt;4900\r\n'],
    ['with such a line in quotes, and a delimiter by which no header is known', '"sep=|"\n"Title"|"Price amount"\nShirt|4900\n'],
    ['with such a line that names a tab', 'SEP=\t\n\nname\tprice_amount\nShirt\t4900\n'],
    ['with such a line, ended by CR', 'sep=;\rprice_amount;name\r4900;Shirt\r'],
    ['with a row that ends early', 'name,price_amount,sku\nShirt,4900\n'],
  ] as const)
    test(`${what} is read, however it is cut`, async () => {
      for (const size of [1, 7, 1000]) assert.deepEqual(await values(file, size), [shirt])
    })

  test('cells become what their fields are, and empty ones are not given', async () => {
    const file =
      'name,price_amount,stock,tags,attributes.colour,attributes.a.b,images,description\n' +
      'Shirt,4900,3,"linen, new",white,x,"[{""url"":""https://a.example/1.png""}]","two\r\nlines"\n' +
      "Cap,900,,,,,,'=1+1\n"
    assert.deepEqual(await values(file), [
      {
        ...shirt,
        stock: 3,
        tags: ['linen', 'new'],
        attributes: { colour: 'white', 'a.b': 'x' },
        images: [{ url: 'https://a.example/1.png' }],
        description: 'two\r\nlines',
      },
      { name: 'Cap', price_amount: 900, description: '=1+1' },
    ])
  })

  test('a cell that is no number stays text, for the schema to refuse by its name', async () => {
    assert.deepEqual(await values('name,price_amount\nShirt,"49,00"\n'), [{ name: 'Shirt', price_amount: '49,00' }])
  })

  test('a row’s line is where it begins, after quoted line ends of either kind', async () => {
    const { good } = await read('name,description\n"a","1\r\n2\n3"\nb,x\n\n"c","\n"\nd,y\n')
    assert.deepEqual(
      good.map(({ line, value }) => [line, (value as { name: string }).name]),
      [
        [2, 'a'],
        [5, 'b'],
        [7, 'c'],
        [9, 'd'],
      ],
    )
    const { good: byReturns } = await read('name,description\r"a","1\n2"\rb,x\r\rc,y\r')
    assert.deepEqual(
      byReturns.map(({ line }) => line),
      [2, 3, 5],
    )
  })

  test('a line for Excel counts as a line, and the delimiter that is asked for is used all the same', async () => {
    const { good } = await read('sep=;\nname,price_amount\nShirt,4900\n', 7, 'comma')
    assert.deepEqual(good, [{ line: 3, text: JSON.stringify(shirt), value: shirt }])
  })

  test('the character that stands for what could not be read is text where the file holds it', async () => {
    const { good, bad } = await read(Buffer.concat([Buffer.from(`name\n${'a\n'.repeat(40_000)}b\ufffd\nc`), Buffer.from([0xe9, 0x0a])]))
    assert.deepEqual(
      [good.at(-1)?.value, bad.map(({ line, errors }) => [line, errors[0]?.code])],
      [{ name: 'b\ufffd' }, [[40_003, 'wrong_encoding']]],
    )
  })

  test('too many cells, bytes that are no UTF-8, and a quote that is never closed are each an error of their row', async () => {
    const head = `name,price_amount\n${'Shirt,1\n'.repeat(9_000)}`
    const { good, bad } = await read(
      Buffer.concat([Buffer.from(`${head}a,1,2\n`), Buffer.from([0xe9]), Buffer.from(',1\nb,2\n"c,1\nd,2\n')]),
      4096,
    )
    assert.equal(good.length, 9_001)
    assert.deepEqual(
      bad.map(({ line, errors }) => [line, errors[0]?.code]),
      [
        [9_002, 'too_many_cells'],
        [9_003, 'wrong_encoding'],
        [9_005, 'quote_not_closed'],
      ],
    )
  })

  test('a cell without end is given up, and nothing of it is held', async () => {
    let sent = 0
    async function* pieces() {
      yield Buffer.from('name\nfirst\n"')
      for (; sent < 200; sent++) yield Buffer.alloc(65_536, 'x')
    }
    const rows: Rows[] = []
    for await (const each of csvRows(pieces(), { schema: NewProduct, answer: Product, exported: 'taken' }, undefined)) rows.push(each)
    assert.deepEqual(
      rows.flatMap(({ bad }) => bad).map(({ line, errors }) => [line, errors[0]?.code]),
      [[3, 'row_too_long']],
    )
    assert.ok(sent < 40, 'the reader stopped soon after the limit')
  })

  test('a column that is not known, given twice, or none at all refuses the file', async () => {
    assert.deepEqual(await refusal('name,colour\nx,y\n'), [{ field: 'colour', code: 'unknown_column' }])
    assert.deepEqual(await refusal('name,title\nx,y\n'), [{ field: 'title', code: 'duplicate_column' }])
    assert.deepEqual(await refusal('name,__proto__,attributes.__proto__\nx,y,z\n'), [
      { field: '__proto__', code: 'unknown_column' },
      { field: 'attributes.__proto__', code: 'unknown_column' },
    ])
    assert.deepEqual(await refusal('\n\n'), [{ field: '', code: 'empty_file' }])
  })

  test('a hundred of very many unknown columns are named; more columns than are read are told by their number, and a long name is cut', async () => {
    const unknown = Array.from({ length: CSV_COLUMNS_MAX }, (_, i) => `no${i}`)
    const errors = await refusal(`${unknown.join()}\nx\n`)
    assert.deepEqual([errors.length, errors[99]], [ERRORS_MAX, { field: 'no99', code: 'unknown_column' }])
    const many = 'a,'.repeat(300_000)
    for (const file of [`${unknown.join()},name\nx\n`, many, 'name,'.repeat(CSV_COLUMNS_MAX)])
      assert.deepEqual(await refusal(file, 65_536), [{ field: '', code: 'too_many_columns' }])
    const [long] = await refusal(`name,attributes.${'k'.repeat(500_000)}\na,b\n`, 65_536)
    assert.deepEqual(long, { field: `attributes.${'k'.repeat(FIELD_CHARS - 11)}…`, code: 'unknown_column' })
  })

  test('a row whose JSON is too long, too deep or of too many values is refused alone', async () => {
    const cells = [
      '\u0001'.repeat(900_000),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
      `[${'0,'.repeat(JSON_BREADTH)}0${' '.repeat(JSON_VALUES_MAX)}]`,
      '["a\\u0000b"]',
    ]
    const { good, bad } = await read(
      `name,tags,description\nx,a,b\n${cells.map(each => `x,"${each.replaceAll('"', '""')}",\n`).join('')}y,a,b\n`,
      65_536,
    )
    assert.deepEqual(
      bad.map(({ line, errors: [error] }) => [line, error?.field, error?.code]),
      [
        [3, '', 'row_too_long'],
        [4, 'tags', 'too_deep'],
        [5, `tags${'[0]'.repeat(31)}`, 'too_deep'],
        [6, 'tags', 'too_many_values'],
        [7, 'tags[0]', 'invalid_characters'],
      ],
    )
    assert.deepEqual(
      good.map(({ line }) => line),
      [2, 8],
    )
    const halves = `"[${'[],[],[],[],[0,0,0,0,0],'.repeat(JSON_VALUES_MAX / 20)}0]"`
    const both = await read(`name,tags,images\nx,${halves},${halves}\n`, 65_536)
    assert.deepEqual(both.bad[0]?.errors[0]?.code, 'too_many_values')
  })

  for (const [what, bytes] of [
    ['UTF-16 with its mark', Buffer.from('\ufeffname\nShirt\n', 'utf16le')],
    ['UTF-16 without', Buffer.from('name\nShirt\n', 'utf16le')],
    ['Windows-1251', Buffer.from('name\n\xcb\xe0\xec\xef\xe0\n', 'latin1')],
    ['Latin-1', Buffer.from('name\nChâteau\n', 'latin1')],
  ] as const)
    test(`${what} is told apart`, async () => assert.deepEqual(await refusal(bytes), [{ field: '', code: 'wrong_encoding' }]))
})
