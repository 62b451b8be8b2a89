// Who calls the agent server. Each kind of credential is handed in by the noun that has it, and the token's form tells which kind it is.
import type { Caller } from '../../caller.ts'
import type { Bucket } from '../admission.ts'
import type { Quota } from '../quota.ts'

export type Role = 'admin' | 'operator'

/** What was found out about a credential, and the slots that were taken of its minute. */
export interface Admitted {
  caller: Caller
  /** The id of the key or the grant. */
  credential: string
  scopes: string[]
  /** As what it acts. */
  role: Role
  /** In the order asked. */
  slots: Slot[]
}

export interface Slot {
  quota: Quota
  allowed: boolean
}

/** One kind of credential. */
export interface Credentials {
  /** Whether the token has the form of this kind, its checksum included. */
  claims(token: string): boolean
  /** Whether this process has admitted the token before. */
  knows(token: string): boolean
  /** As of `Authenticator`: whether an unknown token is one; undefined where a late caller has to wait. */
  find(token: string, late: boolean): Promise<boolean> | undefined
  /**
   * Finds a known token, and takes a slot for each of these requests, all in one statement.
   * @returns undefined where it was revoked
   */
  admit(token: string, buckets: Bucket[]): Promise<Admitted | undefined>
  /** The caller that the token had when it was last admitted with room for reads: a read may begin while `admit` is under way. */
  expect(token: string): Caller | undefined
}
