// `shopdesk import` as a process of its own. No worker runs: the command itself sends and applies the file.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const env = settingsOf(app)
/** One whose table a test locks, for which the others would wait. */
const locked = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'imports-'))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const products = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify({ name: `P ${i}`, price_amount: i, sku: `S-${i}` })}\n`).join('')

suite('shopdesk import', { concurrency: true }, () => {
  test('imports a CSV whose format its name says, reports each refused row, and exits with 1', async () => {
    const { id: tenant } = await app.tenant()
    const path = file('a.csv', 'name;price_amount\nShirt;4900\nCap;cheap\n')
    const run = shopdesk(['import', 'products', path, '--tenant', tenant], env)
    assert.equal(await run.ended, 1)
    assert.match(run.stderr(), /^line 3: price_amount must be a whole number\.$/m)
    assert.match(run.stdout(), /^Import imp_\w+ completed: 1 created, 0 updated, 0 unchanged, 1 failed\.\n$/)
  })

  test('with --json prints the import and nothing else; a repeat with --mode upsert changes nothing', async () => {
    const { id: tenant } = await app.tenant()
    const path = file('b.ndjson', products(2_500))
    const first = shopdesk(['import', 'products', path, '--tenant', tenant, '--json', '--no-events'], env)
    assert.equal(await first.ended, 0, first.stderr())
    assert.equal(JSON.parse(first.stdout()).created, 2_500)
    assert.equal(first.stderr(), '')
    const again = shopdesk(['import', 'products', path, '--tenant', tenant, '--json', '--mode', 'upsert'], env)
    assert.equal(await again.ended, 0, again.stderr())
    const { created, updated, unchanged } = JSON.parse(again.stdout())
    assert.deepEqual([created, updated, unchanged], [0, 0, 2_500])
    assert.equal((await app.sql`select 1 from events where tenant_id = ${tenant}`).length, 0)
  })

  test('a dry run says what would be, and changes nothing', async () => {
    const { id: tenant } = await app.tenant()
    const run = shopdesk(['import', 'products', file('c.ndjson', products(3)), '--tenant', tenant, '--dry-run'], env)
    assert.equal(await run.ended, 0, run.stderr())
    assert.match(run.stdout(), /^Dry run imp_\w+ completed: 3 created/)
    assert.equal((await app.sql`select 1 from products where tenant_id = ${tenant}`).length, 0)
  })

  test('a missing file, a folder, or a file without our columns, is one line', async () => {
    const { id: tenant } = await app.tenant()
    const missing = shopdesk(['import', 'products', join(folder, 'none.csv'), '--tenant', tenant], env)
    assert.equal(await missing.ended, 1)
    assert.match(missing.stderr(), /^\S+none\.csv cannot be read: ENOENT\.\n$/)
    const directory = shopdesk(['import', 'products', folder, '--tenant', tenant], env)
    assert.equal(await directory.ended, 1)
    assert.equal(directory.stderr(), `${folder} cannot be read: EISDIR.\n`)
    const strange = shopdesk(['import', 'products', file('d.csv', 'name,colour\na,b\n'), '--tenant', tenant], env)
    assert.equal(await strange.ended, 1)
    assert.match(strange.stderr(), /^colour: is not a column here; known are name, [^\n]*\n$/)
  })

  test('names in a file do not control the terminal', async () => {
    const { id: tenant } = await app.tenant()
    const name = 'colour\u001b[2J\u0007'
    for (const [path, shown] of [
      [file('g.csv', `name,${name}\na,b\n`), /^colour \[2J : is not a column here/],
      [file('g.ndjson', `${JSON.stringify({ name: 'a', price_amount: 1, [name]: 1 })}\n`), /^line 1: colour \[2J {2}is not a field here/],
    ] as const) {
      const run = shopdesk(['import', 'products', path, '--tenant', tenant], env)
      assert.equal(await run.ended, 1)
      assert.match(run.stderr(), shown)
    }
  })

  test('a file that grows while it is read is refused, and nothing of it is imported', async () => {
    const { id: tenant } = await locked.tenant()
    const path = file('e.ndjson', products(60_000))
    const run = await locked.sql.begin(async tx => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      // With this lock no part of the file can be kept, so it cannot be read to its end.
      await tx`lock table import_chunks in exclusive mode`
      const begun = shopdesk(['import', 'products', path, '--tenant', tenant], settingsOf(locked))
      await eventually(async () => (await locked.sql`select 1 from imports where tenant_id = ${tenant}`).length > 0)
      await appendFile(path, products(1))
      return begun
    })
    assert.equal(await run.ended, 1)
    assert.match(run.stderr(), /e\.ndjson changed while it was read; nothing was imported/)
    assert.equal((await locked.sql`select 1 from products where tenant_id = ${tenant}`).length, 0)
  })

  test('Ctrl-C cancels: what was applied stays, and no more is', async () => {
    const { id: tenant } = await app.tenant()
    const run = shopdesk(['import', 'products', file('f.ndjson', products(40_000)), '--tenant', tenant], env)
    await eventually(async () => (await app.sql`select 1 from imports where tenant_id = ${tenant} and created > 0`).length > 0)
    run.child.kill('SIGINT')
    assert.equal(await run.ended, 1)
    assert.match(run.stdout(), /cancelled: \d+ created/)
    const [row] =
      await app.sql`select created, status, (select count(*) from products p where p.tenant_id = i.tenant_id) as there from imports i where tenant_id = ${tenant}`
    assert.equal(row?.['status'], 'cancelled')
    assert.equal(row?.['there'], row?.['created'])
    assert.ok(row?.['created'] < 40_000)
  })
})
