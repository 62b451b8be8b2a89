// Every header of answers and of requests, for the OpenAPI document.
import { EVENT_STREAM } from '../live.ts'
import type { ReadRoute, Route } from '../route.ts'
import { takesSessions } from '../sessions.ts'

type Json = Record<string, unknown>

const answered = (description: string, schema: Json, required = true): Json => ({ description, required, schema })
const count = (description: string, minimum = 0): Json => answered(description, { type: 'integer', minimum })
const text = (description: string, schema: Json = {}): Json => answered(description, { type: 'string', ...schema })
const atTimes = (description: string, schema: Json = {}): Json => answered(description, { type: 'string', ...schema }, false)

/** The headers of answers. The part after a full stop distinguishes headers of one name. */
export const HEADERS: Record<string, Json> = {
  'X-Trace-Id': text('The trace of a valid traceparent, else a new one. Quote it in support requests.', { pattern: '^[0-9a-f]{32}$' }),
  'X-RateLimit-Limit': count('Requests the bucket holds in 60 seconds.'),
  'X-RateLimit-Remaining': count('Requests left in it now.'),
  'X-RateLimit-Reset': count('Seconds until the window resets.'),
  ETag: text('A hash of the body; for If-None-Match and If-Match.', { pattern: '^"[A-Za-z0-9_-]+"$' }),
  Location: text('The path of the resource.', { pattern: '^/api/(v1|platform)/' }),
  Allow: text('The methods that the path has.', { pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  'Retry-After': count('Seconds to wait.', 1),
  'Content-Disposition': text('A name for the file.', { pattern: '^(attachment|inline); filename="' }),
  'Content-Security-Policy': text('A file that is opened by itself can run nothing.', { pattern: 'sandbox' }),
  'Accept-Ranges': text('Parts of the file can be asked for.', { const: 'bytes' }),
  'Content-Range': text('Which part of the file this is.', { pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$' }),
  'Content-Encoding': atTimes('How the body is compressed, where it is.', { enum: ['br', 'gzip'] }),
  'X-Content-Type-Options': text('The body is of its Content-Type and of no other.', { const: 'nosniff' }),
  'Cache-Control': text('For the caller alone, and to be asked for again with its ETag.', { const: 'private, no-cache' }),
  'Cache-Control.public': text('For any caller, and to be asked for again with its ETag.', { const: 'public, no-cache' }),
  'Cache-Control.none': text('No cache keeps it.', { const: 'no-store' }),
  'X-Accel-Buffering': text('Tells a proxy to hand it on at once.', { const: 'no' }),
  Vary: atTimes('What else the answer depends on.'),
  'WWW-Authenticate': text('The scheme to use.', { const: 'Bearer' }),
  Deprecation: atTimes('With offset: that it is deprecated.', { const: 'true' }),
  Sunset: atTimes('With offset: when its time is over.'),
  Link: atTimes('With offset: what to use instead.', { pattern: 'rel="successor-version"' }),
  Warning: atTimes('With offset: the same in words.', { pattern: '^299 - "' }),
}

const parameter = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
})

/** The headers of requests, shared by the operations. */
const PARAMETERS: Record<string, Json> = {
  traceparent: parameter('traceparent', 'W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored.'),
  'If-None-Match': parameter('If-None-Match', 'ETags you have, or *; a 304 when the current one is among them.'),
  Range: parameter('Range', 'A part of the file, such as bytes=0-1023. For several at once the whole file is sent.'),
  'If-Range': parameter('If-Range', 'The ETag of the file you have a part of: of another one the whole is sent.'),
  'Idempotency-Key': parameter(
    'Idempotency-Key',
    'A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer.',
    {
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
    },
  ),
  'X-CSRF-Token': parameter(
    'X-CSRF-Token',
    'Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service.',
  ),
  'Last-Event-ID': parameter(
    'Last-Event-ID',
    'The id of the last event you have: what you missed since comes first. EventSource sends it by itself.',
  ),
  'If-Match': parameter('If-Match', 'The ETag your change is based on, or *; a 412 when it is no longer the current one.'),
  'If-Unmodified-Since': parameter(
    'If-Unmodified-Since',
    'An HTTP date; a 412 when the resource changed later. If-Match decides where both are given.',
  ),
}

/** References to the headers that a request of this route may carry. */
export function headerParameters(route: Route): Json[] {
  return [...own(route), 'traceparent'].map(name => ({ $ref: `#/components/parameters/${name}` }))
}

/** Those headers of requests that some route knows. */
export function parametersOf(routes: Route[]): Record<string, Json> {
  const known = new Set(routes.flatMap(own))
  return Object.fromEntries(Object.entries(PARAMETERS).filter(([name]) => name === 'traceparent' || known.has(name)))
}

/** A stream of events has no representation that a caller could have already. */
export const isLive = (route: ReadRoute): boolean => route.file?.includes(EVENT_STREAM) === true

function own(route: Route): string[] {
  if (route.method === 'GET' && isLive(route)) return route.resumes ? ['Last-Event-ID'] : []
  if (route.method === 'GET') return ['If-None-Match', ...(route.ranged ? ['Range', 'If-Range'] : [])]
  const proof = takesSessions(route.path) ? ['X-CSRF-Token'] : []
  if (route.method === 'POST') return ['Idempotency-Key', ...proof]
  return [...(route.conditional ? ['If-Match', 'If-Unmodified-Since'] : []), ...proof]
}
