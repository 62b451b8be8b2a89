// A PostgreSQL that is made and migrated once for a run of tests, stopped, and copied for each test that needs a server of its own: a copy takes a tenth
// of the second of processor time that making one takes. A copy is the same cluster to PostgreSQL, so a test of two clusters makes the other one.
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Embedded, openEmbedded, SERVICE_ROLE, temporaryFolder } from '../../src/postgres/embedded/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'

const NAME = 'TEST_PREPARED'
/** Only the log's last file is there to be copied. */
const SMALL = { fsync: 'off', wal_recycle: 'off' }

/** For this process, and those that it starts. @returns its folder */
export async function prepare(): Promise<string> {
  const dataDir = temporaryFolder()
  const embedded = await openEmbedded({ dataDir, settings: SMALL })
  await migrate(embedded.url, SERVICE_ROLE)
  await cheapen(embedded)
  await embedded.close()
  rmSync(join(homeIn(dataDir), 'log'))
  // Elsewhere by a link, where root's account cannot enter the folder: each test makes its own there.
  if (!lstatSync(homeIn(dataDir)).isSymbolicLink()) process.env[NAME] = dataDir
  return dataDir
}

// Of the 4096 rounds that a password is hashed in, each connection pays for all: a third of what it costs the process that connects.
async function cheapen({ url, serviceUrl }: Embedded): Promise<void> {
  const sql = postgres(url, { max: 1 })
  await sql`set scram_iterations = 1`
  for (const { username, password } of [url, serviceUrl].map(each => new URL(each)))
    await sql.unsafe(`alter role ${username} password '${password}'`)
  await sql.end()
}

/** Puts a copy into an empty folder, from where it is opened; nothing without a run of tests. @returns the folder */
export function putPrepared(dataDir: string): string {
  const prepared = process.env[NAME]
  if (!prepared) return dataDir
  mkdirSync(dataDir, { recursive: true })
  const { status, stderr } = spawnSync('cp', ['-a', homeIn(prepared), dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The prepared database could not be copied: ${stderr}`)
  return dataDir
}

const homeIn = (dataDir: string): string => join(dataDir, 'postgres')
