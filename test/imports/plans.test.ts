// How PostgreSQL runs the statements of imports and exports on large ones, with plans that it made for small ones.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import * as exports_ from '../../src/exports/store.ts'
import * as chunks from '../../src/imports/chunk-store.ts'
import * as errors from '../../src/imports/error-store.ts'
import * as leases from '../../src/imports/lease-store.ts'
import type { Prune } from '../../src/postgres/prune.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { connectedDatabase } from '../support/database.ts'
import { explained } from '../support/plans.ts'

const CHUNKS = 40
const ROWS_OF_CHUNK = 50
const KEYS_OF_ROW = 2
const KEYS = CHUNKS * ROWS_OF_CHUNK * KEYS_OF_ROW

const { url, sql } = await connectedDatabase()
const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })

/** @param keys of each row; every tenth row has the key of an earlier one */
async function anImport(
  id: string,
  count: number,
  { rows = ROWS_OF_CHUNK, keys = KEYS_OF_ROW, status = 'running', age = '0' } = {},
): Promise<void> {
  await sql`
    insert into imports (tenant_id, id, resource, mode, format, dry_run, events, caller, status, lease_token, finished_at)
    select ${tenant}, ${id}, 'products', 'create', 'ndjson', false, false, '{}', ${status}, ${TOKEN},
           case when ${status} <> 'running' then now() - ${age}::interval end`
  await sql`
    insert into import_chunks (tenant_id, import_id, number, lines, keys, body)
    select ${tenant}, ${id}, c, array(select c * 1000 + i from generate_series(1, ${rows}::integer) i),
           array(select case when ${keys} = 0 then null when i % 10 = 0 then i else c * 1000 + i end
                   from generate_series(1, ${rows}::integer * greatest(${keys}, 1)) i), ''
      from generate_series(1, ${count}::integer) c`
  await sql`
    insert into import_errors (tenant_id, import_id, line, position, field, code, message)
    select ${tenant}, ${id}, l, 0, '', 'conflict', '' from generate_series(1, ${count * 10}::integer) l`
}
const TOKEN = randomUUID()

async function anExport(id: string, count: number, state = 'running'): Promise<void> {
  await sql`
    insert into exports (tenant_id, id, resource, format, bom, filters, state, chunks, created_at, finished_at)
    select ${tenant}, ${id}, 'orders', 'ndjson', false, '{}', ${state}, ${count}, now(), case when ${state} <> 'running' then now() end`
  await sql`
    insert into export_chunks (tenant_id, export_id, number, body)
    select ${tenant}, ${id}, c, '' from generate_series(0, ${count}::integer - 1) c`
}

const look = () => sql`vacuum analyze imports, import_chunks, import_errors, exports, export_chunks`
const clear = () => sql`truncate imports, import_chunks, import_errors, exports, export_chunks`

/** The state of the tables when the planner last looked. */
const found: Record<string, () => Promise<unknown>> = {
  'nothing yet, and never counted': async () => {},
  'nothing yet': look,
  'imports of one row': async () => {
    for (let i = 0; i < 50; i++) await anImport(`imp_s${i}`, 1, { rows: 1 })
    await look()
  },
  'rows that have no keys': async () => {
    for (let i = 0; i < 50; i++) await anImport(`imp_n${i}`, 1, { keys: 0 })
    await look()
  },
  'one chunk': async () => {
    await anImport('imp_one', 1)
    await anExport('exp_one', 1)
    await look()
  },
  'a thousand chunks': async () => {
    await anImport('imp_many', 1_000)
    await anExport('exp_many', 1_000)
    await look()
  },
  'many imports that are over, old and cleared': async () => {
    for (let i = 0; i < 20; i++) await anImport(`imp_o${i}`, 20, { status: 'cancelled', age: '31 days' })
    for (let i = 0; i < 20; i++) await anExport(`exp_o${i}`, 20, 'cancelled')
    await look()
    for (const table of ['import_chunks', 'import_errors', 'imports', 'export_chunks', 'exports']) await sql.unsafe(`delete from ${table}`)
    await sql`vacuum imports, import_chunks, import_errors, exports, export_chunks`
  },
}

const ref = { tenant, id: 'imp_x' }
const exported = { tenant, id: 'exp_x' }
const once = async (prune: Prune, worker: Sql) => {
  for await (const _ of prune(worker)) return
}

/** Each statement, with the rows that it may read and throw away. */
const works: Record<string, [most: number, work: (worker: Sql) => Promise<unknown>]> = {
  'compare the rows of a file': [12 * KEYS, worker => begin(worker, tx => chunks.compare(tx, ref, KEYS_OF_ROW))],
  'take the lease': [5, worker => leases.take(worker, ref, TOKEN)],
  'read the next chunk': [5, worker => chunks.next(worker, ref, 3)],
  'name its lines': [5, worker => chunks.nextLines(worker, ref)],
  'mark rows of it as applied': [5, worker => begin(worker, tx => chunks.markApplied(tx, ref, 4, 10))],
  'count rows': [5, worker => begin(worker, tx => leases.advance(tx, ref, TOKEN, { created: 1, updated: 0, unchanged: 0, failed: 0 }))],
  'keep an error': [
    20,
    worker => begin(worker, tx => errors.record(tx, ref, [{ line: 99_999, errors: [{ field: '', code: 'x', message: 'x' }] }])),
  ],
  'read a page of errors': [40, worker => errors.list(worker, ref, { line: 100, position: 0 }, 10, ',')],
  'remove a chunk': [5, worker => begin(worker, tx => chunks.remove(tx, ref, 4))],
  'find stalled imports': [20, worker => leases.leases.rescueStalled(worker)],
  'end dead uploads': [20, worker => leases.endDeadUploads(worker)],
  'end the leases of the dead': [20, worker => leases.leases.lapse(worker, ['00000000-0000-4000'])],
  'clear chunks of an import that is over': [3 * CHUNKS, worker => once(chunks.prune, worker)],
  'clear errors of old imports': [20, worker => once(errors.prune, worker)],
  'find where an export is': [5, worker => exports_.running(worker, exported)],
  'add a chunk to it': [
    10,
    worker => exports_.append(worker, exported, { number: CHUNKS, body: Buffer.from(''), bytes: 1, rows: 1, last: undefined }),
  ],
  'read a chunk of it': [5, worker => exports_.chunk(worker, exported, 3)],
  'clear chunks of an export that is over': [40, worker => once(exports_.prune, worker)],
  'find abandoned exports': [20, worker => exports_.endAbandoned(worker)],
}

for (const [state, prepare] of Object.entries(found))
  test(`no more is read than is needed, though the planner knew of ${state}`, async () => {
    await clear()
    await prepare()
    const { sql: worker, plan, close } = await explained(url)
    after(close)
    for (const [, work] of Object.values(works)) await work(worker)
    await clear()
    await anImport(ref.id, CHUNKS)
    await anImport('imp_over', 2, { status: 'cancelled' })
    await anExport(exported.id, CHUNKS)
    await anExport('exp_over', 2, 'cancelled')
    for (const [name, [most, work]] of Object.entries(works)) {
      const { handled, reads } = await plan(() => work(worker))
      assert.ok(handled <= most, `to ${name}, ${handled} rows of ${reads.join(', ')}`)
    }
  })
