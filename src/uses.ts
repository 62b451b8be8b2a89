// When keys, sessions and grants were used last, as web notes it.
import type { Logger } from 'pino'
import { recordKeyUses } from './access/keys.ts'
import { createLastUses, type LastUses } from './access/last-use.ts'
import { recordSessionUses } from './access/sessions.ts'
import { recordUses as recordGrantUses } from './oauth/access-store.ts'
import type { Sql } from './postgres/sql.ts'

export interface Uses {
  keys: LastUses
  sessions: LastUses
  grants: LastUses
  /** Writes what was noted of all of them. */
  stop(): Promise<void>
}

export function createUses(sql: Sql, log: Logger): Uses {
  const of = (record: typeof recordKeyUses, what: string): LastUses =>
    createLastUses(
      some => record(sql, some),
      err => log.error({ err }, `the last uses of ${what} could not be recorded`),
    )
  const [keys, sessions, grants] = [of(recordKeyUses, 'keys'), of(recordSessionUses, 'sessions'), of(recordGrantUses, 'grants')]
  return {
    keys,
    sessions,
    grants,
    async stop() {
      await Promise.all([keys.stop(), sessions.stop(), grants.stop()])
    },
  }
}
