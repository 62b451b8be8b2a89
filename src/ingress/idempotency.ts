// Idempotency-Key: the first request wins, a duplicate gets a 409 with the first answer, and a refused request leaves no trace.
import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_CLAIM_SECONDS } from '../limits/requests.ts'
import * as keys from '../postgres/idempotency.ts'
import type { Sql, Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import type { Answer } from './route.ts'

/**
 * @returns the key, undefined without one
 * @throws {Problem} 422 unless it is 1 to 255 visible ASCII characters
 */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid({ field: 'Idempotency-Key', code: 'invalid_format', message: 'must be 1 to 255 visible ASCII characters.' })
}

/** The right to do the work of a key, until the claim lapses. */
export interface Claim {
  tenant: string
  key: string
  token: string
}

/**
 * Runs `work` at most once for this tenant and key.
 * The claim is a short transaction of its own, so a duplicate that arrives meanwhile is answered at once. The answer is recorded in the
 * transaction of the change (see `remember`), so no crash can separate the two.
 * @throws {Problem} 409 with the first answer, or 409 with Retry-After while the first is still running
 */
export async function once(sql: Sql, tenant: string, key: string, work: (claim: Claim) => Promise<Answer>): Promise<Answer> {
  const token = randomUUID()
  await claim(sql, tenant, key, token)
  const renewal = setInterval(() => void keys.renew(sql, tenant, key, token).catch(() => {}), RENEWAL_MS)
  try {
    return await work({ tenant, key, token })
  } catch (error) {
    // If the release fails too, the claim lapses by itself.
    await keys.release(sql, tenant, key, token).catch(() => {})
    throw error
  } finally {
    clearInterval(renewal)
  }
}

const RENEWAL_MS = (IDEMPOTENCY_CLAIM_SECONDS * 1000) / 3

/** Records an answer in the transaction of its change. @throws {Problem} 503 when the claim has lapsed */
export async function remember(tx: Tx, { tenant, key, token }: Claim, answer: Answer): Promise<void> {
  const kept = { status: answer.status ?? 200, body: answer.body.toString(), location: answer.location ?? null }
  if (await keys.record(tx, tenant, key, token, kept)) return
  throw new Problem('service-unavailable', 'This request took so long that its Idempotency-Key lapsed; nothing was changed. Try again.')
}

async function claim(sql: Sql, tenant: string, key: string, token: string): Promise<void> {
  if (await keys.claim(sql, tenant, key, token)) return
  const first = await keys.recorded(sql, tenant, key)
  // The claim was released between the two statements: the first request was refused, so this one may try.
  if (!first) return claim(sql, tenant, key, token)
  if (first.status === null)
    throw new Problem(
      'conflict',
      'A request with this Idempotency-Key is still running; try again in a second.',
      { code: 'request_in_progress' },
      { 'Retry-After': '1' },
    )
  throw new Problem(
    'conflict',
    'A request with this Idempotency-Key was already answered; its answer is in original.',
    { code: 'duplicate_idempotency_key', original: { status: first.status, body: JSON.parse(first.body as string) as unknown } },
    first.location === null ? {} : { Location: first.location },
  )
}
