// The secret key of the embedded database: made once, kept beside it. With DATABASE_URL the operator sets SECRET_KEY.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './errors.ts'
import { type Keyring, parseKeyring } from './secrets.ts'

/**
 * The SECRET_KEY kept in `dataDir` and its keyring; made where there is none.
 * @throws {OperatorError} when the file cannot be read or made, or holds no key
 */
export function ownSecretKey(dataDir: string): { text: string; keyring: Keyring } {
  const path = join(dataDir, 'secret_key')
  const text = read(path) ?? make(path)
  const keyring = parseKeyring(text)
  if (!keyring) throw new OperatorError(`${path} holds no key; restore it, for what it has encrypted cannot be read without it.`)
  return { text, keyring }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new OperatorError(`${path} cannot be read (${code}); it must be readable by the user that runs this.`)
  }
}

// Linked into place whole, and never over another's: two processes on a fresh folder end with one key.
function make(path: string): string {
  const draft = `${path}-${process.pid}`
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new OperatorError(`${path} cannot be made (${code}); DATA_DIR must be a folder this user can write.`)
  } finally {
    rmSync(draft, { force: true })
  }
  return read(path) ?? ''
}
