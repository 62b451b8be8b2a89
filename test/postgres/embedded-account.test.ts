// The embedded database beside other users of the machine: a link of theirs leads neither root nor this user to a file elsewhere, and root's
// database has an account that no other process has.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { OperatorError } from '../../src/errors.ts'
import { type Embedded, openEmbedded } from '../../src/postgres/embedded/embedded.ts'

const MODULE = new URL('../../src/postgres/embedded/embedded.ts', import.meta.url).href
const NOBODY = { uid: 65_534, gid: 65_534 }
/** A number that is no user's. */
const NAMELESS = 60_123
const asRoot = { skip: process.getuid?.() !== 0 && 'only root gives the database an account of its own' }

const base = mkdtempSync(join(tmpdir(), 'embedded-account-test-'))
chmodSync(base, 0o711)
const dataDir = join(base, 'data')
const home = join(dataDir, 'postgres')
const secret = join(base, 'secret')
writeFileSync(secret, 'a secret of this user', { mode: 0o600 })
after(() => rmSync(base, { recursive: true, force: true }))

const open = (): Promise<Embedded> => openEmbedded({ dataDir, settings: { fsync: 'off' } })
const leftAlone = (error: Error) => error instanceof OperatorError && /must be a plain file.* left as it is/.test(error.message)

function assertSecretIsSafe(): void {
  const { uid, mode, size } = statSync(secret)
  assert.deepEqual([uid, mode & 0o777, size], [process.getuid?.(), 0o600, 21])
}

test('root’s database has an account of its own, which other processes cannot be', asRoot, async () => {
  const embedded = await open()
  const { uid, gid } = statSync(join(home, 'data'))
  for (const database of ['passwd', 'group']) assert.equal(spawnSync('getent', [database, String(uid)]).status, 2, `${database} has ${uid}`)
  assert.equal(uid, gid)
  const server = Number(readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  assert.equal(statSync(`/proc/${server}`).uid, uid)
  for (const path of ['', 'log', 'password']) assert.equal(statSync(join(home, path)).uid, 0, path)
  for (const path of ['log', 'password', 'data/PG_VERSION'])
    assert.notEqual(spawnSync('/bin/cat', [join(home, path)], { ...NOBODY, cwd: '/' }).status, 0, `the user nobody read ${path}`)
  await embedded.close()
})

test('a user without a name is told that PostgreSQL makes it no database, and what to do', asRoot, async () => {
  const dataDir = join(base, 'nameless')
  mkdirSync(dataDir)
  lchownSync(dataDir, NAMELESS, NAMELESS)
  const script = `const { openEmbedded } = await import('${MODULE}')\nawait openEmbedded({ dataDir: '${dataDir}' }).catch(error => console.log(error.message))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { uid: NAMELESS, gid: NAMELESS, encoding: 'utf8' })
  assert.match(
    stdout,
    new RegExp(`as user ${NAMELESS}, for whom /etc/passwd has no name: start as a user that it names, or set DATABASE_URL`),
  )
})

test('a link in the place of the log or of the password is refused, and its target stays as it is', async () => {
  await (await open()).close()
  for (const name of ['log', 'password'])
    for (const link of process.getuid?.() === 0 ? [symlinkSync, linkSync] : [symlinkSync]) {
      const path = join(home, name)
      renameSync(path, `${path}.away`)
      link(secret, path)
      await assert.rejects(open(), leftAlone, `${link.name} ${name}`)
      assertSecretIsSafe()
      rmSync(path)
      renameSync(`${path}.away`, path)
    }
})

test('a database that an earlier version left to user nobody gets its own account, and links in it are not followed', asRoot, async () => {
  const before = await open()
  await query(before, 'create table kept as select 7 as n')
  await before.close()
  symlinkSync(secret, join(home, 'data/base/link'))
  asAnEarlierVersionLeft(home)
  linkSync(secret, join(home, 'data/base/second-name'))
  const later = await open()
  assert.deepEqual(await query(later, 'select n from kept'), [{ n: 7 }])
  await later.close()
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(path => lstatSync(join(home, path)).uid === NOBODY.uid)
  assert.deepEqual(left.sort(), ['data/base/link', 'log', 'password'])
  assert.notEqual(spawnSync('/bin/cat', [join(home, 'password')], { ...NOBODY, cwd: '/' }).status, 0, 'user nobody read it')
  rmSync(join(home, 'data/base/second-name'))
  assertSecretIsSafe()
})

test('a link in the folder for temporary files does not delete the database it leads to', async () => {
  const temporary = join(base, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o711)
  const dead = spawn(process.execPath, ['-e', '0'])
  await once(dead, 'exit')
  const link = join(temporary, `shopdesk-${dead.pid}-abcdef`)
  symlinkSync(dataDir, link)
  const script = `import { openTemporary } from ${JSON.stringify(MODULE)}; await (await openTemporary()).close()`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'inherit',
  })
  assert.equal(status, 0)
  assert.deepEqual(readdirSync(temporary), [`shopdesk-${dead.pid}-abcdef`])
  assert.ok(existsSync(join(home, 'data/PG_VERSION')), 'the database is gone')
})

// The user nobody owns every file, in a folder that only its owner may enter.
function asAnEarlierVersionLeft(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) lchownSync(join(folder, path), NOBODY.uid, NOBODY.gid)
  lchownSync(folder, NOBODY.uid, NOBODY.gid)
  chmodSync(folder, 0o700)
}

async function query({ url }: Embedded, text: string): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}
