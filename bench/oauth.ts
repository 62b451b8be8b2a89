// Refreshing tokens over HTTP (client, refresh token, rotation, its successor, the grant's use, an access token) against the same rows by one statement
// without HTTP, at the same concurrency and with the same durability.
import { mintToken } from '../src/access/token.ts'
import { GRANT_UNUSED_DAYS } from '../src/limits/oauth.ts'
import { successorOf } from '../src/oauth/successor.ts'
import postgres from '../src/postgres/driver.ts'
import { type Keyring, parseKeyring, sha256 } from '../src/secrets.ts'
import { compare } from './compare.ts'
import { type Dataset, SECRET_KEY } from './dataset.ts'
import { clearGrants, type Granted, grantBeside } from './granted.ts'
import { directLoad, httpLoad } from './load.ts'
import { form } from './request.ts'
import { startWeb } from './servers.ts'

const CONNECTIONS = 64
/** So many that none is refreshed more than 120 times a minute, or the limiter would be measured; nor while its last refresh is under way. */
const GRANTS = 3_000

const keyring = parseKeyring(SECRET_KEY) as Keyring

export async function oauth(dataset: Dataset): Promise<void> {
  const web = await startWeb(dataset)
  const { client, grants } = await grantBeside(dataset, dataset.keys.slice(0, 2 * GRANTS))
  const [ours, theirs] = [grants.slice(0, GRANTS), grants.slice(GRANTS)]
  const statement = oneStatement(dataset.databaseUrl, theirs)
  try {
    await compare({
      title: `oauth: refreshes, ${CONNECTIONS} at once`,
      names: ['one statement, no HTTP', 'POST /api/oauth/token'],
      baseline: directLoad(statement.run, CONNECTIONS),
      ours: httpLoad(web.address, turn => refreshRequest(client, ours[turn % GRANTS] as Granted), CONNECTIONS),
      atLeast: 0.4,
    })
  } finally {
    await statement.close()
    await web.stop()
    await clearGrants(dataset.db.sql)
  }
}

/** The next of a grant's chain: what the server will answer is known ahead, for both have the key. */
export function refreshRequest(client: string, granted: Granted): Buffer {
  const token = granted.refreshToken
  granted.refreshToken = successorOf(keyring, token).token
  return form('/api/oauth/token', { grant_type: 'refresh_token', client_id: client, refresh_token: token })
}

// A connection for each of those at once, so that commits share their flush.
function oneStatement(databaseUrl: string, grants: Granted[]): { run(turn: number): Promise<unknown>; close(): Promise<void> } {
  const sqls = Array.from({ length: CONNECTIONS }, () =>
    postgres(databaseUrl, { max: 1, connection: { application_name: 'shopdesk bench baseline' } }),
  )
  return {
    run(turn) {
      const granted = grants[turn % grants.length] as Granted
      const [before, after] = [sha256(granted.refreshToken), mintToken('ort')]
      granted.refreshToken = after
      const { tenant, grant } = granted
      return (sqls[turn % CONNECTIONS] as postgres.Sql)`
        with used as (
          update oauth_refresh_tokens set rotated_at = now(), successor_key = '0' where tenant_id = ${tenant} and hash = ${before}
        ), granted as (
          update oauth_grants set last_used_at = now() where tenant_id = ${tenant} and id = ${grant}
        ), next as (
          insert into oauth_refresh_tokens (tenant_id, hash, grant_id, expires_at)
          values (${tenant}, ${sha256(after)}, ${grant}, now() + make_interval(days => ${GRANT_UNUSED_DAYS}))
        )
        insert into oauth_access_tokens (tenant_id, hash, grant_id, scopes, expires_at)
        values (${tenant}, ${sha256(mintToken('oat'))}, ${grant}, '{read,write}', now() + interval '1 hour')`
    },
    close: async () => {
      await Promise.all(sqls.map(sql => sql.end()))
    },
  }
}
