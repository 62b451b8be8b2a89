// A key takes its slots of one log, whether a take comes alone or with others: each way has a statement of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey, revokeKey } from '../../src/access/keys.ts'
import { type Take, type Taken, takeAll } from '../../src/access/store.ts'
import { sha256 } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { connectedDatabase } from '../support/database.ts'

const { sql } = await connectedDatabase()
const shop = await createTenant(sql, { name: 'A shop', plan: 'starter', currency: 'EUR' })
const LIMITS = { read: 60, write: 15 }

async function someKey(): Promise<{ id: string; take: Take }> {
  const { id, key } = await createKey(sql, { tenant: shop.id, kind: 'rest', scopes: ['read', 'write'] })
  return { id, take: { hash: sha256(key).toString('hex'), bucket: 'read' } }
}
const alone = async (take: Take): Promise<Taken | undefined> => (await takeAll(sql, [take]))[0]

test('takes that come alone and takes that come together count in one log, to the last slot of it', async () => {
  const [{ id, take }, other] = [await someKey(), await someKey()]
  const left: unknown[] = []
  // 66 takes of 60 slots: a chunk of the log is written by a lone take, and another by one of several.
  for (let i = 0; i < 22; i++) {
    const taken = [await alone(take), ...(await takeAll(sql, [take, other.take, take])).filter(each => each?.key_id === id)]
    for (const each of taken) left.push([each?.allowed, each?.remaining, each?.rate_limit, each?.tenant_id, each?.scopes])
  }
  const slots = Array.from({ length: 66 }, (_, i) => [
    i < LIMITS.read,
    Math.max(LIMITS.read - 1 - i, 0),
    LIMITS.read,
    shop.id,
    ['read', 'write'],
  ])
  assert.deepEqual(left, slots)

  const write: Take = { ...take, bucket: 'write' }
  assert.equal((await alone(write))?.remaining, LIMITS.write - 1, 'the other bucket is untouched')
})

test('a hit that has left the window makes room, for a lone take as for others', async () => {
  const { take } = await someKey()
  for (let i = 0; i < 45; i++) await alone(take)
  const age = (hits: string) => `array(select t - interval '61 seconds' from unnest(${hits}) with ordinality u (t, i) order by i)`
  const key = `(select ring from api_keys where hash = decode('${take.hash}', 'hex'))`
  // The oldest twenty: the first chunk of the log.
  await sql.unsafe(`update rate_chunks set hits = ${age('hits')} where ring = ${key} and bucket = 0 and slot = 0`)
  await sql.unsafe(`update rate_rings set oldest = null, oldest_chunk = null where ring = ${key} and bucket = 0`)
  assert.equal((await alone(take))?.remaining, LIMITS.read - 26)
  assert.equal((await takeAll(sql, [take, take]))[1]?.remaining, LIMITS.read - 28)
})

test('a lone take finds no key that is revoked or unknown, and makes a log anew that a crash has lost', async () => {
  const { id, take } = await someKey()
  assert.equal(await alone({ ...take, hash: '00' }), undefined)
  await alone(take)
  await sql`delete from rate_rings r using api_keys k where k.id = ${id} and r.ring = k.ring`
  assert.equal((await alone(take))?.remaining, LIMITS.read - 1)
  await revokeKey(sql, shop.id, id)
  assert.equal(await alone(take), undefined)
})
