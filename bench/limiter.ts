// The cost of a request's admission: finding the key and taking a slot of its exact sliding log, against finding the key alone.
import { keyAuthenticator } from '../src/access/keys.ts'
import { sha256 } from '../src/secrets.ts'
import { compare } from './compare.ts'
import type { Dataset } from './dataset.ts'
import { directLoad } from './load.ts'

const CALLS = 64

export async function limiter({ db, keys }: Dataset): Promise<void> {
  const hashes = keys.map(({ key }) => sha256(key))
  const tokens = keys.map(({ key }) => key)
  const turnOf = <T>(all: T[], turn: number): T => all[turn % all.length] as T
  const find = (turn: number) => db.listLanes`
    select k.id, k.tenant_id, k.scopes, p.read_per_minute
      from api_keys k
      join tenants n on n.id = k.tenant_id
      join plans p on p.plan = n.plan
     where k.hash = ${turnOf(hashes, turn)} and k.revoked_at is null`
  const authenticator = keyAuthenticator(db.pointLane, 'rest')
  await compare({
    title: `limiter: ${CALLS} calls at once over the lanes, without HTTP`,
    names: ['finding the key', 'finding it and taking a slot'],
    baseline: directLoad(find, CALLS),
    ours: directLoad(turn => admit(authenticator, turnOf(tokens, turn)), CALLS),
  })
}

async function admit(authenticator: ReturnType<typeof keyAuthenticator>, token: string): Promise<void> {
  const admission = await authenticator.admit(token, 'read')
  if (!admission?.allowed) throw new Error('a key was refused: more keys are needed, or the limiter itself is measured')
}
