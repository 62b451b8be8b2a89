// `shopdesk export`, as an operator runs it.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { insertOrders, parseNdjson } from '../support/bulk-orders.ts'
import { eventually } from '../support/eventually.ts'
import { aProduct } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'shopdesk-export-'))
after(() => rmSync(folder, { recursive: true }))
const run = async (...args: string[]) => {
  const running = shopdesk(['export', ...args], { DATABASE_URL: app.databaseUrl, SECRET_KEY: '5e'.repeat(32) })
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

test('to a file: the whole of it, its progress on stderr', async () => {
  const shop = await app.tenant()
  await insertOrders(app.sql, shop, 2_500)
  const file = join(folder, 'orders.csv')
  const { code, stdout, stderr } = await run('orders', '--tenant', shop.id, '--format', 'csv', '--fields', 'number,note', '--out', file)
  assert.deepEqual([code, stdout], [0, ''], stderr)
  assert.match(stderr, /^\[#{12}\] 100 % {2}2,500 of 2,500 orders, [\d,.]+\/s\n$/)
  const text = readFileSync(file, 'utf8')
  assert.equal(text.split('\r\n').length, 2_502)
  assert.ok(text.startsWith('number,note\r\n1,\r\n2,\r\n'))
  assert.ok(!existsSync(`${file}.partial`))
})

test('Ctrl-C leaves no file', async () => {
  const shop = await app.tenant()
  await insertOrders(app.sql, shop, 100)
  const file = join(folder, 'cancelled.ndjson')
  const run = await app.sql.begin(async tx => {
    await tx`lock table orders in access exclusive mode`
    const begun = shopdesk(['export', 'orders', '--tenant', shop.id, '--out', file], settingsOf(app))
    await eventually(async () => existsSync(`${file}.partial`))
    begun.child.kill('SIGINT')
    return begun
  })
  assert.equal(await run.ended, 1)
  assert.match(run.stderr(), /Cancelled; .*cancelled\.ndjson was not written\.\n$/)
  assert.deepEqual([existsSync(file), existsSync(`${file}.partial`)], [false, false])
})

test('to stdout, with filters: the rows alone', async () => {
  const shop = await app.tenant()
  await shop.post('/api/v1/products', aProduct({ name: 'A', sku: 'A', category: 'Shoes' }))
  await shop.post('/api/v1/products', aProduct({ name: 'B', sku: 'B', category: 'Hats' }))
  const { code, stdout } = await run('products', '--tenant', shop.id, '--filter', 'category=Shoes', '--filter', 'status=active')
  assert.equal(code, 0)
  assert.deepEqual(
    parseNdjson(stdout).map(each => each.sku),
    ['A'],
  )
})

test('a mistake is one line that says how to correct it', async () => {
  const shop = await app.tenant()
  for (const [args, pattern] of [
    [['orders', '--tenant', 'ten_0'], /no workspace here/],
    [['orders', '--tenant', shop.id, '--filter', 'sku=1'], /--filter sku is not known; known are created_after,/],
    [['orders', '--tenant', shop.id, '--filter', 'status=lost'], /^--filter status holds "lost"; it must be one of pending, /],
    [['orders', '--tenant', shop.id, '--fields', 'nothing'], /^--fields: "nothing" names nothing here/],
    [['orders', '--tenant', shop.id, '--bom'], /^--bom is for CSV; /],
    [['orders', '--tenant', shop.id, '--out', join(folder, 'none', 'x')], /cannot be written: ENOENT/],
    [['webhooks', '--tenant', shop.id], /Allowed choices are orders, products, contacts/],
  ] as const) {
    const { code, stderr } = await run(...args)
    assert.equal(code, 1)
    assert.match(stderr, pattern)
    assert.equal(stderr.trim().split('\n').length, 1)
  }
})
