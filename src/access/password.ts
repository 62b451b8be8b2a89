// Passwords as they are kept: Argon2id, as a PHC string. Those of an older program are scrypt; they verify and are replaced when the person signs in.
import { type Argon2Parameters, argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { HASH_WAIT_MS, HASHES_AT_ONCE, HASHES_WAITING } from '../limits/access.ts'
import { Problem } from '../problems.ts'
import { yieldToRequests } from './hashing-threads.ts'

/** OWASP: 19 MiB, two passes, one lane. They stand in each hash, so that they can be raised. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** @throws {Problem} 503 where too many others wait */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await inTurn(() => hashed(() => argon(password, { ...COST, nonce: salt, tagLength: HASH_BYTES })))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether it is the password. One that is compared with no hash costs the same and is not.
 * @param stored undefined: there is no such account
 * @param turn what is done when its turn has come, where nothing is hashed if it throws; and where it is the password, before the next one's turn
 * @throws {Problem} 503 where too many others wait
 */
export async function isPassword(password: string, stored: string | undefined, { first, right }: Turn = {}): Promise<boolean> {
  const { expected, derive } = parse(stored ?? NONE)
  return inTurn(async () => {
    await first?.()
    const hash = await hashed(() => derive(password))
    const isRight = timingSafeEqual(hash, expected) && stored !== undefined
    if (isRight) await right?.()
    return isRight
  })
}

export interface Turn {
  first?: () => Promise<void>
  right?: () => Promise<void>
}

/** Whether a hash is older than the present cost. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`)

/** How many hashes this process has made: an unknown account must cost as many as a known one. */
export const hashesMade = (): number => made

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** A hash that no password has; to check one against it costs as much as any check. */
const NONE = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(HASH_BYTES))}`

interface Parsed {
  expected: Buffer
  derive(password: string): Promise<Buffer>
}

function parse(stored: string): Parsed {
  const [, memory, passes, parallelism, nonce = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? []
  if (memory === undefined) return parseScrypt(stored)
  const expected = Buffer.from(tag, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return {
    expected,
    derive: password => argon(password, { ...cost, nonce: Buffer.from(nonce, 'base64'), tagLength: expected.length }),
  }
}

function parseScrypt(stored: string): Parsed {
  const [scheme, N, r, p, salt = '', hash = ''] = stored.split('$')
  if (scheme !== 'scrypt') throw new Error('a stored password is neither Argon2id nor scrypt')
  const expected = Buffer.from(hash, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const options = { ...cost, maxmem: 256 * cost.N * cost.r }
  const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number, options: object) => Promise<Buffer>
  return { expected, derive: password => derive(normal(password), Buffer.from(salt, 'base64url'), expected.length, options) }
}

const argon = (password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> =>
  promisify(argon2)('argon2id', { ...parameters, message: normal(password) })

// What looks alike is typed by different keys on different machines.
const normal = (password: string): string => password.normalize('NFKC')

let made = 0
let running = 0
const waiting: (() => void)[] = []

// Each takes 19 MB and a core for some 50 ms: those who sign in wait for each other, and other requests for neither.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) await turn()
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function hashed<T>(derive: () => Promise<T>): Promise<T> {
  const first = made++ === 0
  const hash = await derive()
  if (first) yieldToRequests()
  return hash
}

function turn(): Promise<void> {
  if (waiting.length >= HASHES_WAITING) throw busy()
  return new Promise((resolve, reject) => {
    const go = (): void => {
      clearTimeout(late)
      resolve()
    }
    const late = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(busy())
    }, HASH_WAIT_MS)
    waiting.push(go)
  })
}

const busy = (): Problem =>
  new Problem(
    'service-unavailable',
    'Too many people sign in at this moment; try again in a few seconds.',
    { code: 'busy' },
    { 'Retry-After': '5' },
  )
