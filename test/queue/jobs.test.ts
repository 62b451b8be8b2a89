// Jobs: the payload of a job is that of its task, or it does not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { part } from '../../src/postgres/sql.ts'
import { addJob } from '../../src/queue/jobs.ts'
import { connectedDatabase } from '../support/database.ts'

const { sql } = await connectedDatabase()

test('a job has the payload that its task declares, its priority, and the attempts it is given', async () => {
  const payload = { tenantId: part`r.tenant`, importId: part`r.id` }
  await sql`
    select ${addJob('imports/apply', payload, { priority: part`r.priority`, after: part`interval '1 hour'`, maxAttempts: 3 })}
      from (values ('ten_a', 'imp_a', 5), ('ten_b', 'imp_b', 6)) r (tenant, id, priority)`
  const jobs = await sql`
    select j.payload, j.priority, j.max_attempts, j.run_at > now() + interval '59 minutes' as is_later
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'imports/apply'
     order by j.id`
  assert.deepEqual(
    [...jobs],
    [
      { payload: { tenantId: 'ten_a', importId: 'imp_a' }, priority: 5, max_attempts: 3, is_later: true },
      { payload: { tenantId: 'ten_b', importId: 'imp_b' }, priority: 6, max_attempts: 3, is_later: true },
    ],
  )
})

test('another payload, or a task that no file declares, does not compile', () => {
  const id = part`'x'`
  // Each line fails the check of types where it would compile.
  // @ts-expect-error a member is missing
  void addJob('imports/apply', { tenantId: id })
  // @ts-expect-error a member of another task
  void addJob('imports/apply', { tenantId: id, exportId: id })
  // @ts-expect-error no such task
  void addJob('imports/aply', { tenantId: id, importId: id })
})
