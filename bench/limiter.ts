// What every request pays at the door: finding the key and taking a slot of its exact sliding log, against finding the key alone.
import { take } from '../src/access/store.ts'
import { sha256 } from '../src/secrets.ts'
import { compare } from './compare.ts'
import type { Dataset } from './dataset.ts'
import { directLoad } from './load.ts'

const CALLS = 64

export async function limiter({ db, keys }: Dataset): Promise<void> {
  const hashes = keys.map(({ key }) => sha256(key))
  const hash = (turn: number): Buffer => hashes[turn % hashes.length] as Buffer
  await compare({
    title: `limiter: ${CALLS} calls at once over the lanes, without HTTP`,
    names: ['finding the key', 'access_take'],
    limit: directLoad(
      turn => db.read`
      select k.id, k.tenant_id, k.scopes, p.read_per_minute
        from api_keys k
        join tenants n on n.id = k.tenant_id
        join plans p on p.plan = n.plan
       where k.hash = ${hash(turn)} and k.revoked_at is null`,
      CALLS,
    ),
    ours: directLoad(turn => take(db.read, hash(turn), 'read'), CALLS),
  })
}
