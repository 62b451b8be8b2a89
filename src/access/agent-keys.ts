// Keys of the agent server, as it knows credentials. They are made by admins, and have the workspace's power.
import type { Ref } from '../ids.ts'
import type { Credentials } from '../ingress/mcp/credentials.ts'
import type { Sql } from '../postgres/sql.ts'
import { kindOf } from './key.ts'
import { keyAuthenticator } from './keys.ts'

/** @param used told of each use of a key */
export function agentKeys(sql: Sql, used: (key: Ref) => void): Credentials {
  const { knows, find, admitAll, expect } = keyAuthenticator(sql, 'mcp', used)
  return { claims: token => kindOf(token) === 'mcp', knows, find, admit: admitAll, expect }
}
