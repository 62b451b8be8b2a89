// The API for pages of ours: a browser's session in place of a key. Its requests count as a key's do; a write brings the token of the page that sent it.
import type { Ref } from '../ids.ts'
import type { Sessions } from '../ingress/admission.ts'
import { cookieName } from '../ingress/page/cookies.ts'
import { readFormToken } from '../ingress/page/form-token.ts'
import { isForeign } from '../ingress/page/origin.ts'
import { batched } from '../postgres/batch.ts'
import type { Queryable } from '../postgres/sql.ts'
import { type Keyring, sha256 } from '../secrets.ts'
import { cookieOf } from './session-reader.ts'
import * as store from './session-store.ts'
import { prefixOf } from './token.ts'
import { createQuestions } from './unknown-tokens.ts'

export interface DoorContext {
  sql: Queryable
  baseUrl: string
  keyring: Keyring
  /** Told of each session that is used. */
  used(session: Ref): void
}

/** Admins and operators alike read and write; what is an admin's alone its verb refuses. */
const SCOPES = ['read', 'write']
/** Sessions that a process remembers as such. */
const KNOWN_MAX = 10_000
/** Takes in one statement, which keeps their rings locked until it ends. */
const TAKES_MAX = 50

const PREFIX = 'session '
const hashOf = (credential: string): string => sha256(credential.slice(PREFIX.length)).toString('hex')

export function sessionDoor({ sql, baseUrl, keyring, used }: DoorContext): Sessions {
  const cookie = cookieName(baseUrl, '')
  const known = new Set<string>()
  const take = batched((takes: store.Take[]) => store.takeAll(sql, takes), TAKES_MAX)
  const questions = createQuestions(async credentials => {
    const found = await store.existing(sql, credentials.map(hashOf))
    return credentials.map(each => found.has(hashOf(each)))
  })
  return {
    credentialOf(headers) {
      const token = cookieOf(headers.cookie, cookie)
      return token !== undefined && prefixOf(token) === 'sid' ? PREFIX + token : undefined
    },
    // A page sends its token in a header, which no form of another site can.
    isOurs(headers, session) {
      const token = headers['x-csrf-token']
      if (typeof token !== 'string' || isForeign(headers, baseUrl)) return false
      return typeof readFormToken(keyring, token, session) === 'object'
    },
    knows: credential => known.has(credential),
    find: (credential, late) => questions.ask(credential, late),
    async admit(credential, bucket) {
      const taken = await take({ hash: hashOf(credential), bucket })
      if (!taken) {
        known.delete(credential)
        return undefined
      }
      known.add(credential)
      if (known.size > KNOWN_MAX) known.delete(known.values().next().value as string)
      const { id, tenant, user, rate_limit: limit, remaining, reset_ms: resetMs, allowed } = taken
      used({ tenant, id })
      return {
        caller: { tenant, actor: { type: 'user', id: user } },
        scopes: SCOPES,
        quota: { limit, remaining, resetMs },
        allowed,
        session: id,
      }
    },
  }
}
