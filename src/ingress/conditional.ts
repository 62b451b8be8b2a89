// ETags, and the conditions built on them (RFC 9110 §13). An ETag is a hash of the body, on lists and single resources alike.
import { createHash, hash } from 'node:crypto'
import { Problem } from '../problems.ts'
import type { Precondition } from './route.ts'

/** The ETag of a body in one piece or several. */
export function etagOf(body: string | Buffer | Buffer[]): string {
  if (!Array.isArray(body)) return `"${hash('sha1', body, 'base64url')}"`
  if (body.length === 1) return etagOf(body[0] as Buffer)
  const sum = createHash('sha1')
  for (const piece of body) sum.update(piece)
  return `"${sum.digest('base64url')}"`
}

/** If-None-Match: weak comparison, lists and `*`. */
export function matchesNone(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.trim() === '*' || tags(header).some(tag => tag.replace(/^W\//, '') === etag)
}

/** If-Match (strong comparison) wins over If-Unmodified-Since, as RFC 9110 §13.2.2 has it; an invalid date is no condition. */
export function precondition(ifMatch: string | undefined, ifUnmodifiedSince: string | undefined): Precondition {
  if (ifMatch !== undefined) {
    return ({ body }) => {
      if (ifMatch.trim() !== '*' && !tags(ifMatch).includes(etagOf(body)))
        throw new Problem('precondition-failed', 'The resource is not the one If-Match names: read it again and repeat the change.')
    }
  }
  const since = ifUnmodifiedSince === undefined ? undefined : httpDate(ifUnmodifiedSince)
  return ({ updatedAt }) => {
    // HTTP dates count whole seconds.
    if (since !== undefined && Math.floor(updatedAt.getTime() / 1000) * 1000 > since)
      throw new Problem('precondition-failed', 'The resource was changed after If-Unmodified-Since: read it again and repeat the change.')
  }
}

const tags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

// Two of the three forms of a date say their zone; asctime's would be read in the one of this machine.
const ZONED = /^[A-Z][a-z]{2,8}, \d\d?[ -][A-Z][a-z]{2}[ -](\d\d|\d{4}) [\d:]{8} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/

function httpDate(text: string): number | undefined {
  const zoned = ASCTIME.test(text) ? `${text} GMT` : ZONED.test(text) ? text : ''
  const milliseconds = Date.parse(zoned)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}
