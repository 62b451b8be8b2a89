// Files that are cut, too large, not what they say, or sent twice: each has its error, the rest goes on, and nothing is doubled.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { suite, test } from 'node:test'
import { prune } from '../../src/imports/chunk-store.ts'
import { endDeadUploads } from '../../src/imports/lease-store.ts'
import { IMPORT_BODY_BYTES } from '../../src/limits/imports.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { assertProblem } from '../support/given.ts'
import { CSV, type Importer, importing, NDJSON } from './importing.ts'

const app = await testApp()
await app.startWorker()
const { shop } = importing(app)
const PATH = '/api/v1/imports'
const ROW = '{"name":"Shirt","price_amount":4900}\n'

/** Begins to send a file, and leaves the rest to the test. */
function sending(at: Importer, query: string, headers: Record<string, string | number> = {}) {
  const request = httpRequest(`${app.url}${PATH}?${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${at.key}`, 'Content-Type': NDJSON, ...headers },
  })
  request.on('error', () => {})
  return request
}

const counted = async (at: Importer, table: 'products' | 'imports'): Promise<number> =>
  (await app.sql`select 1 from ${app.sql(table)} where tenant_id = ${at.id}`).length

suite('rows that are wrong cost themselves alone', { concurrency: true }, () => {
  test('each with its line, its field and a code; the good ones are imported', async () => {
    const at = await shop()
    const file = [
      '{"name":"Shirt","price_amount":4900}',
      '',
      'not json',
      '{"name":"Cut","price_amo',
      '[1]',
      'null',
      '{"name":"Shirt"}',
      '{"name":"Shirt","price_amount":"4900"}',
      '{"name":"Shirt","price_amount":1,"colour":"red"}',
      '{"name":"a\\u0000b","price_amount":1}',
      '{"name":"\\ud800","price_amount":1}',
      '{"name":"x","price_amount":1,"metadata":{"__proto__":"x"}}',
      '{"name":"x","price_amount":1e400}',
      '{"items":[],"customer":{"email":"ada@example.com"}}',
      '   ',
      '{"name":"Cap","price_amount":900,"status":"DRAFT"}',
    ].join('\n')
    const done = await at.imported('resource=products', file)
    assert.deepEqual([done.status, done.rows_read, done.created, done.failed], ['completed', 14, 2, 12])
    assert.deepEqual(
      (await at.wrong(done.id)).filter(([line], index, all) => all.findIndex(each => each[0] === line) === index),
      [
        [3, '', 'malformed_json'],
        [4, '', 'malformed_json'],
        [5, '', 'invalid_type'],
        [6, '', 'invalid_type'],
        [7, 'price_amount', 'required'],
        [8, 'price_amount', 'invalid_type'],
        [9, 'colour', 'unknown_field'],
        [10, 'name', 'invalid_characters'],
        [11, 'name', 'invalid_characters'],
        [12, 'metadata.__proto__', 'unknown_field'],
        [13, 'price_amount', 'out_of_range'],
        [14, 'name', 'required'],
      ],
    )
  })

  test('a line of many megabytes is one row’s error, and is never held', async () => {
    const at = await shop()
    const request = sending(at, 'resource=products')
    const answered = once(request, 'response')
    request.write(ROW)
    for (let i = 0; i < 48; i++) if (!request.write(Buffer.alloc(1024 * 1024, 'x'))) await once(request, 'drain')
    request.end(`\n${ROW}`)
    const [response] = await answered
    assert.equal(response.statusCode, 202)
    const id = String(response.headers.location).split('/').at(-1) as string
    const done = await at.over(id)
    assert.deepEqual([done.created, done.failed], [2, 1])
    assert.deepEqual(await at.wrong(id), [[2, '', 'row_too_long']])
  })

  test('a row made to cost much, or whose JSON grows beyond what a row may have, does not harm its neighbours', async () => {
    const at = await shop()
    const empties = (count: number) => `{"name":"x","price_amount":1,"variants":[${Array(count).fill('{}').join()}]}\n`
    const file = [ROW, empties(300_000), `${'['.repeat(500_000)}\n`, empties(4_000), 'x\n'.repeat(3_000), ROW].join('')
    const done = await at.imported('resource=products', file)
    assert.deepEqual([done.status, done.created, done.failed], ['completed', 2, 3_003])
    const wrong = await at.wrong(done.id)
    assert.deepEqual(wrong.slice(0, 3), [
      [2, '', 'too_many_values'],
      [3, '', 'too_deep'],
      [4, 'variants', 'too_many'],
    ])
    assert.equal(wrong.filter(([line]) => line === 4).length, 10)
    const csv = `name,price_amount,description\nShirt,1,x\nCap,1,${'\u0001'.repeat(900_000)}\nScarf,1,x\n`
    const grown = await at.imported('resource=products', csv, { 'Content-Type': CSV })
    assert.deepEqual([grown.status, grown.created, grown.failed], ['completed', 2, 1])
    assert.deepEqual(await at.wrong(grown.id), [[3, '', 'row_too_long']])
  })

  test('lines that are no UTF-8 among lines that are', async () => {
    const at = await shop()
    const file = Buffer.concat([
      Buffer.from(ROW.repeat(9_000)),
      Buffer.from('{"name":"Ch\xe2teau","price_amount":1}\n', 'latin1'),
      Buffer.from(ROW),
    ])
    const done = await at.imported('resource=products&events=false', file)
    assert.deepEqual([done.created, done.failed], [9_001, 1])
    assert.deepEqual(await at.wrong(done.id), [[9_001, '', 'wrong_encoding']])
  })
})

suite('a file that is refused leaves no trace', { concurrency: true }, () => {
  const utf16 = Buffer.from(`\ufeff${ROW}`, 'utf16le')
  for (const [what, query, file, headers, refusal] of [
    [
      'a content type of no file format',
      'resource=products',
      ROW,
      { 'Content-Type': 'application/json' },
      { status: 415, slug: 'unsupported-media-type' },
    ],
    ['no type', 'resource=products', ROW, { 'Content-Type': '' }, { status: 415, slug: 'unsupported-media-type' }],
    [
      'a compressed file',
      'resource=products',
      ROW,
      { 'Content-Type': NDJSON, 'Content-Encoding': 'gzip' },
      { status: 415, slug: 'unsupported-media-type' },
    ],
    [
      'a charset that is not read',
      'resource=products',
      ROW,
      { 'Content-Type': `${CSV}; charset=koi8-r` },
      { status: 415, slug: 'unsupported-media-type' },
    ],
    [
      'a charset that is a word of our own',
      'resource=products',
      ROW,
      { 'Content-Type': `${CSV}; charset=constructor` },
      { status: 415, slug: 'unsupported-media-type' },
    ],
    ['no resource', '', ROW, undefined, { status: 422, slug: 'validation-failed', field: 'resource', code: 'required' }],
    [
      'a resource that cannot be imported',
      'resource=webhooks',
      ROW,
      undefined,
      { status: 422, slug: 'validation-failed', field: 'resource' },
    ],
    ['a mode that is none', 'resource=products&mode=replace', ROW, undefined, { status: 422, slug: 'validation-failed', field: 'mode' }],
    ['no row', 'resource=products', '\n \n', undefined, { status: 422, slug: 'validation-failed', code: 'empty_file' }],
    ['UTF-16', 'resource=products', utf16, undefined, { status: 422, slug: 'validation-failed', code: 'wrong_encoding' }],
    [
      'an unknown column',
      'resource=products',
      'name,price\nx,1\n',
      { 'Content-Type': CSV },
      { status: 422, slug: 'validation-failed', field: 'price', code: 'unknown_column' },
    ],
  ] as const)
    test(what, async () => {
      const at = await shop()
      const reply = await at.send(query, file, { 'Idempotency-Key': 'K', 'Content-Type': NDJSON, ...headers })
      assertProblem(reply, { instance: PATH, ...refusal })
      assert.equal(await counted(at, 'imports'), 0)
      // The key is free for the corrected file.
      assert.equal((await at.send('resource=products', ROW, { 'Content-Type': NDJSON, 'Idempotency-Key': 'K' })).status, 202)
    })

  test('a file whose stated length is above the limit is refused before it is read', async () => {
    const at = await shop()
    const request = sending(at, 'resource=products', { 'Content-Length': IMPORT_BODY_BYTES + 1 })
    request.flushHeaders()
    const [response] = await once(request, 'response')
    assert.equal(response.statusCode, 413)
    request.destroy()
  })

  test('UTF-16, Windows-1251 and Latin-1 are read where the charset names them', async () => {
    const at = await shop()
    const cyrillic = Buffer.from('name,price_amount\n\xcb\xe0\xec\xef\xe0,1\n', 'latin1')
    const refused = await at.send('resource=products', cyrillic, { 'Content-Type': CSV })
    assert.match(refused.body.errors[0].message, /looks like Windows-1251 .*encoding=windows-1251/)
    for (const [query, type] of [
      ['&encoding=windows-1251', CSV],
      ['', `${CSV}; charset=CP1251`],
    ] as const)
      await at.imported(`resource=products${query}`, cyrillic, { 'Content-Type': type })
    assert.equal((await at.get(`/api/v1/products?name=${encodeURIComponent('Лампа')}`)).body.data.length, 2)
    assert.equal((await at.imported('resource=products&encoding=utf-16le', utf16)).created, 1)
    const latin = Buffer.from('name,price_amount\nCh\xe2teau,1\n', 'latin1')
    await at.imported('resource=products', latin, { 'Content-Type': `${CSV}; charset=ISO-8859-1` })
    assert.equal((await at.get('/api/v1/products?name=Ch%C3%A2teau')).body.data.length, 1)
  })
})

suite('a file that is sent more than once, or not to its end', { concurrency: true }, () => {
  test('a client that leaves half-way leaves a failed import with nothing applied; a repeat with its key imports the file once', async () => {
    const at = await shop()
    const request = sending(at, 'resource=products', { 'Idempotency-Key': 'once' })
    request.write(ROW.repeat(5_000))
    await eventually(async () => {
      const [row] = await app.sql`select rows_received from imports where tenant_id = ${at.id}`
      return row?.['rows_received'] > 0
    })
    const early = await at.send('resource=products', ROW, { 'Content-Type': NDJSON, 'Idempotency-Key': 'once' })
    assertProblem(early, { status: 409, slug: 'conflict', instance: PATH, code: 'request_in_progress' })
    request.destroy()
    const [failed] = await eventually(async () => {
      const { body } = await at.get(`${PATH}?status=failed`)
      return body.data.length > 0 && body.data
    })
    assert.deepEqual([failed.error.code, failed.rows_read, failed.rows_total], ['upload_incomplete', 0, null])
    assert.equal(await counted(at, 'products'), 0)
    await pruneAll(app.sql, prune)
    assert.equal((await app.sql`select 1 from import_chunks where tenant_id = ${at.id}`).length, 0, 'the received chunks are gone')

    const headers = { 'Content-Type': NDJSON, 'Idempotency-Key': 'once' }
    const first = await at.send('resource=products&events=false', ROW.repeat(3), headers)
    assert.equal(first.status, 202)
    const again = await at.send('resource=products&events=false', ROW.repeat(3), headers)
    assertProblem(again, { status: 409, slug: 'conflict', instance: PATH, code: 'duplicate_idempotency_key' })
    assert.equal(again.body.original.body.id, first.body.id)
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    await at.over(first.body.id)
    assert.equal(await counted(at, 'products'), 3)
  })

  test('a body shorter than it was said to be is not applied', async () => {
    const at = await shop()
    const request = sending(at, 'resource=products', { 'Content-Length': 10_000 })
    request.write(ROW)
    await eventually(async () => (await counted(at, 'imports')) === 1)
    request.destroy()
    await eventually(async () => (await at.get(`${PATH}?status=failed`)).body.data.length === 1)
    assert.equal(await counted(at, 'products'), 0)
  })

  test('an upload whose web process died fails after a minute without a sign of it', async () => {
    const at = await shop()
    const id = 'imp_01jzzzzzzzzzzzzzzzzzzzzzzz'
    await app.sql`
      insert into imports (tenant_id, id, resource, mode, format, dry_run, events, caller, touched_at)
      values (${at.id}, ${id}, 'products', 'create', 'ndjson', false, true, '{}', now() - interval '61 seconds')`
    await endDeadUploads(app.sql)
    assert.equal((await at.get(`${PATH}/${id}`)).body.error.code, 'upload_incomplete')
  })

  test('an import that is cancelled while its file is sent is refused, and stays cancelled', async () => {
    const at = await shop()
    const request = sending(at, 'resource=products')
    const answered = once(request, 'response')
    request.write(ROW.repeat(1_000))
    const [row] = await eventually(async () => {
      const rows = await app.sql`select id from imports where tenant_id = ${at.id}`
      return rows.length > 0 && rows
    })
    assert.equal((await at.post(`${PATH}/${row?.['id']}/cancel`)).body.status, 'cancelled')
    request.end(ROW.repeat(2_000))
    const [response] = await answered
    assert.equal(response.statusCode, 409)
    assert.equal((await at.get(`${PATH}/${row?.['id']}`)).body.status, 'cancelled')
    assert.equal(await counted(at, 'products'), 0)
  })

  test('an eleventh import at once is refused, until one is over', async () => {
    const at = await shop()
    const held = Array.from({ length: 10 }, () => {
      const request = sending(at, 'resource=products')
      request.write(ROW)
      return request
    })
    await eventually(async () => (await counted(at, 'imports')) === 10)
    const refused = await at.send('resource=products', ROW)
    assertProblem(refused, { status: 409, slug: 'conflict', instance: PATH, code: 'too_many_imports' })
    const answered = once(held[0] as (typeof held)[0], 'response')
    held[0]?.end()
    const [response] = await answered
    await at.over(String(response.headers.location).split('/').at(-1) as string)
    assert.equal((await at.send('resource=products', ROW)).status, 202)
    for (const request of held) request.destroy()
  })
})
