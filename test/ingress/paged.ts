// The frame of pages with the sample pages on it, on a server and a database of its own.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { pino } from 'pino'
import { keyAuthenticator } from '../../src/access/keys.ts'
import { loadConfig } from '../../src/config.ts'
import { PATIENCE } from '../../src/ingress/connections/listener.ts'
import { createLongReads } from '../../src/ingress/long-reads.ts'
import type { SignedIn } from '../../src/ingress/page/page.ts'
import { assetRoutes, pageRoutes, refuseWithPage } from '../../src/ingress/page/routes.ts'
import { buildServer } from '../../src/ingress/server.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { testDatabase } from '../support/database.ts'

/** Closed when the file's tests have run. */
export async function paged() {
  const database = await testDatabase()
  const db = openDatabase(database.serviceUrl, { name: 'test', lanes: 1, pool: 2 })
  const keyring = parseKeyring(randomBytes(32).toString('hex')) as Keyring
  const closers = [() => db.close(), () => database.drop()]
  after(async () => {
    for (const close of closers) await close()
  })

  async function start(baseUrl: string, port = 0) {
    const config = loadConfig({ BASE_URL: baseUrl, DATABASE_URL: database.serviceUrl, LOG_LEVEL: 'silent' })
    const app = buildServer({
      config,
      db,
      log: pino({ level: 'silent' }),
      authenticator: keyAuthenticator(db.pointLane, 'rest'),
      routes: [],
      longReads: createLongReads(db),
      refuseWithPage: refuseWithPage(baseUrl),
      patience: PATIENCE,
    })
    assetRoutes(app)
    pageRoutes(app, {
      baseUrl,
      docsUrl: `${baseUrl}/docs`,
      keyring,
      sql: db.sql,
      session,
      roots: ['/sign-in', '/sign-out', '/invite', '/dashboard'],
      open: () => import('./sample-pages.tsx'),
    })
    closers.unshift(() => app.close())
    return { app, url: await app.listen({ port, host: '127.0.0.1' }) }
  }

  return { start, db, keyring }
}

/** Signed in as the cookie says: the frame takes whatever reads sessions. */
async function session({ cookies }: { cookies: Record<string, string | undefined> }): Promise<SignedIn | undefined> {
  const [role, id = role] = (cookies['who'] ?? '').split('.')
  return role === 'admin' || role === 'operator' ? { id: `ses_${id}`, tenant: 'ten_a', role, person: 'Ada', workspace: 'A & B' } : undefined
}
