// What the frame is handed: addresses, keys, the reader of sessions, and the pages themselves, which are imported when one is first asked for.
import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../../postgres/sql.ts'
import type { Keyring } from '../../secrets.ts'
import type { MenuGroup, PageRoute, SignedIn } from './page.ts'

export interface Site<S extends SignedIn = SignedIn> {
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
  keyring: Keyring
  sql: Queryable
  /** Reads the session that a request's cookie names, if it is a living one. */
  session(request: FastifyRequest): Promise<S | undefined>
  /** Where pages stand: at these paths and below. */
  roots: readonly string[]
  /** Imports the pages. */
  open(): Promise<{ pages: PageRoute<S>[]; menu: MenuGroup[] }>
}
