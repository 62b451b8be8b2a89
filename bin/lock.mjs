// One process at a time, of all that were started in this folder. Plain JavaScript for any Node >= 20, as install.mjs is.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A holder that has not touched its lock for this long is dead, even if its process id is in use again. */
const STALE_MS = 60_000
const LOOK_MS = 200

/**
 * Does the work when no other process does it. The lock is given back when the process ends.
 * @param waiting called once, where another process is at it
 * @throws where the lock cannot be written
 */
export async function locked(lock, work, waiting = () => {}) {
  const mine = `${process.pid} ${randomUUID()}`
  let waited = false
  while (!(await acquire(lock, mine))) {
    if (!waited) waiting()
    waited = true
    await delay(LOOK_MS)
  }
  process.on('exit', () => read(lock) === mine && rmSync(lock, { force: true }))
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), STALE_MS / 10)
  await work()
  clearInterval(beat)
}

async function acquire(lock, mine) {
  const held = read(lock)
  if (held !== undefined && !stale(lock, held)) return false
  try {
    if (held !== undefined) renameSync(lock, `${lock}.${process.pid}`)
    rmSync(`${lock}.${process.pid}`, { force: true })
    writeFileSync(lock, mine, { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') return false
    throw error
  }
  // Two may have judged the same lock stale, and the slower one moved the faster one's new lock away.
  if (held !== undefined) await delay(100)
  return read(lock) === mine
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function stale(lock, held) {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // Empty: caught between its creation and its first byte.
  return age > STALE_MS || (held !== '' && !alive(Number(held.split(' ')[0])))
}

function alive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
