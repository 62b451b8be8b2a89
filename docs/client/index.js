// A client of the Shopdesk REST API: openapi-fetch with the types of schema.d.ts, and what every caller needs besides: patience, and lists
// read to their end.
import createClient from 'openapi-fetch'

/** See index.d.ts. */
export function shopdesk({ baseUrl, apiKey, fetch = globalThis.fetch, attempts = 5 }) {
  return createClient({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: request => patiently(request, fetch, attempts),
    // Comma lists, as in status=pending,SHIPPED.
    querySerializer: { array: { style: 'form', explode: false } },
    bodySerializer: body => (isFile(body) ? body : JSON.stringify(body)),
  })
}

/** See index.d.ts. */
export async function* everyItem(client, path, { query, ...init } = {}) {
  let cursor
  do {
    const params = { ...init.params, query: { limit: 100, ...query, ...(cursor && { cursor }) } }
    const page = await taken(client.GET(path, { ...init, params }))
    yield* page.data
    cursor = page.next_cursor
  } while (cursor)
}

/** See index.d.ts. */
export async function taken(call) {
  const { data, error, response } = await call
  if (data !== undefined) return data
  // The first answer was lost on its way; here it is.
  if (error?.code === 'duplicate_idempotency_key') return error.original.body
  throw new ProblemError(error || { title: response.statusText, status: response.status })
}

/** See index.d.ts. */
export class ProblemError extends Error {
  name = 'ProblemError'

  constructor(problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

// Tried again: what was refused for coming too often (nothing was done then), and, where that cannot do it twice, what was lost on its way.
async function patiently(request, fetch, attempts) {
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= attempts || !isRepeatable(request)
    const response = await fetch(last ? request : request.clone()).catch(error => {
      if (last || request.signal.aborted || !isSafe(request)) throw error
    })
    const again = !response || response.status === 429 || (response.status === 503 && isSafe(request)) || isUnderWay(response)
    if (last || !again) return response
    const seconds = Number(response?.headers.get('retry-after') ?? 2 ** (attempt - 2))
    await response?.body?.cancel()
    await pause(seconds * 1000, request.signal)
  }
}

// A call that is given up does not wait for its next try.
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

// A 409 with Retry-After: the request that had this Idempotency-Key first is still running.
const isUnderWay = response => response.status === 409 && response.headers.has('retry-after')
const isSafe = request => request.method === 'GET' || request.headers.has('idempotency-key')
// A stream can be sent once.
const isRepeatable = request => !(request.body && /ndjson|csv/.test(request.headers.get('content-type') ?? ''))
const isFile = body => typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof Blob || body instanceof ReadableStream
