// The one set of headers of all pages.
import { HSTS_SECONDS } from '../../limits/pages.ts'

// Nothing but what is served here: hostile text could not run even if it became markup.
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

export interface Kind {
  secretAddress?: true | undefined
  leadsAway?: boolean | undefined
}

/** Caching aside. */
export const pageHeaders = (baseUrl: string, { secretAddress, leadsAway }: Kind = {}): Record<string, string> => ({
  'Content-Security-Policy': POLICY.filter(part => !(leadsAway && part.startsWith('form-action'))).join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': secretAddress ? 'no-referrer' : 'same-origin',
  ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }),
})
