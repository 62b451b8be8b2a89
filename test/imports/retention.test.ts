// How long imports are kept, and what goes earlier.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prune as pruneChunks } from '../../src/imports/chunk-store.ts'
import { prune as pruneImports } from '../../src/imports/error-store.ts'
import { RETENTION_DAYS } from '../../src/limits/retention.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { testApp } from '../support/app.ts'
import { importing, NDJSON } from './importing.ts'

const app = await testApp()
const { shop } = importing(app)

async function counts(tenant: string): Promise<number[]> {
  const [row] = await app.sql`
    select (select count(*) from imports where tenant_id = ${tenant}) as imports,
           (select count(*) from import_chunks where tenant_id = ${tenant}) as chunks,
           (select count(*) from import_errors where tenant_id = ${tenant}) as errors`
  return Object.values(row as object) as number[]
}

test('the chunks of an import that is over are deleted at once, and those of one that waits for a worker stay', async () => {
  const at = await shop()
  const [waits, over] = await Promise.all(
    [1, 2].map(() =>
      at.send('resource=products', at.ndjson(Array.from({ length: 2_500 }, () => ({ name: 'P' }))), { 'Content-Type': NDJSON }),
    ),
  )
  assert.deepEqual(await counts(at.id), [2, 6, 0])
  await at.post(`/api/v1/imports/${over?.body.id}/cancel`)
  await pruneAll(app.sql, pruneChunks)
  assert.deepEqual(await counts(at.id), [2, 3, 0])
  assert.equal((await at.get(`/api/v1/imports/${waits?.body.id}`)).body.status, 'queued')
})

test('an import is deleted with its errors when its time is over, and not before', async () => {
  const at = await shop()
  const [old, young] = await Promise.all([1, 2].map(() => at.send('resource=products', 'no json\n', { 'Content-Type': NDJSON })))
  for (const [reply, days] of [
    [old, RETENTION_DAYS + 1],
    [young, RETENTION_DAYS - 1],
  ] as const)
    await app.sql`update imports set status = 'completed', finished_at = now() - make_interval(days => ${days}) where id = ${reply?.body.id}`
  assert.deepEqual(await counts(at.id), [2, 0, 2])
  await pruneAll(app.sql, pruneImports)
  assert.deepEqual(await counts(at.id), [1, 0, 1])
  assert.equal((await at.get(`/api/v1/imports/${young?.body.id}/errors`)).body.data.length, 1)
})
