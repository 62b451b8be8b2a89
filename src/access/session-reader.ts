// The session of a request: the one place that reads its cookie. Pages and whatever else people call with a browser use it.
import type { IncomingHttpHeaders } from 'node:http'
import { cookieName } from '../ingress/page/cookies.ts'
import type { SignedIn } from '../ingress/page/page.ts'
import type { Queryable } from '../postgres/sql.ts'
import { type Session, sessionOfToken } from './sessions.ts'

/** A session as pages know it, with what its verbs need. */
export type PageSession = SignedIn & Session

export interface SessionReaderContext {
  sql: Queryable
  baseUrl: string
  /** Told of each session that is used. */
  used(session: { tenant: string; id: string }): void
}

/** @returns reads the living session that a request's cookie names: its role and its workspace as they are at this moment */
export function createSessionReader({ sql, baseUrl, used }: SessionReaderContext) {
  const name = cookieName(baseUrl, '')
  return async ({ headers }: { headers: IncomingHttpHeaders }): Promise<PageSession | undefined> => {
    const session = await sessionOfToken(sql, cookieOf(headers.cookie, name))
    if (!session) return undefined
    used(session)
    return { ...session, person: session.name ?? session.email }
  }
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === name) return value?.trim()
  }
  return undefined
}
