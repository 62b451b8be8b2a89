// Requests made up from the OpenAPI document, against the running service: what fits the document is taken, unless the state of things is
// against it; what has a fault is refused for it; and nothing at all is answered with a 5xx. Every answer is held against the document by
// testApp itself. A new operation is tested by being in the document.
//
// FUZZ_RUNS=500 FUZZ_SEED=7 npm test -- test/ingress/property.test.ts asks more, and other, questions.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { type Reply, testApp } from '../support/app.ts'
import { contractOf, type Json, type Operation } from '../support/contract.ts'
import { faultyRequest } from '../support/faulty-requests.ts'
import { assertStandardHeaders, type FullTenant, filled, fullTenant } from '../support/given.ts'
import { anyRequest } from '../support/hostile-requests.ts'
import { fittingRequest, jsonOf, type Sent } from '../support/requests.ts'
import { standIn } from '../support/schema-arbitraries.ts'

/** The same seed makes the same requests; it is printed with every counterexample. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_525)
/** Requests of each kind to each operation. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10)
/** On a busy machine an operation gets fewer requests rather than more time, but one, and as many as its test needs. */
const MS_PER_PROPERTY = RUNS * 500
/** Fewer than the largest plan serves a minute, which leaves room for a test's other requests. */
const REQUESTS_PER_TENANT = 500

const app = await testApp()
// The limiter has tests of its own.
await app.sql`update plans set write_per_minute = 600 where plan = 'enterprise'`
const { body: document }: { body: Json } = await app.request('GET', '/api/v1/openapi.json')
const contract = contractOf(document)

let current: (FullTenant & { asked: number; known: Map<string, string[]>; lastEvent?: string }) | undefined

/** A tenant with one of everything, and another when its limit comes near. Later requests find what earlier ones made. */
async function currentTenant() {
  if (!current || ++current.asked > REQUESTS_PER_TENANT) {
    const made = await fullTenant(app)
    current = { ...made, asked: 0, known: new Map() }
    harvest(JSON.stringify([made.order, made.product, Object.values(made.ids)]))
  }
  return current
}

function harvest(text: string): void {
  for (const [id, prefix = ''] of text.matchAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)) {
    const ids = current?.known.get(prefix) ?? []
    if (!ids.includes(id)) current?.known.set(prefix, [id, ...ids].slice(0, 10))
  }
}

async function send({ method, path, id, query, headers, body, keyless }: Sent): Promise<Reply> {
  const { shop, ids, known } = await currentTenant()
  const located = <T extends string | Buffer | undefined>(text: T): T =>
    typeof text === 'string'
      ? (text.replaceAll(standIn, (all, prefix, number) => known.get(prefix)?.[number % (known.get(prefix)?.length ?? 1)] ?? all) as T)
      : text
  const at = filled(path, before => id ?? ids[before])
  const reply = await app.request(method, query ? `${at}?${located(query)}` : at, {
    ...(!keyless && { key: shop.key }),
    ...(body !== undefined && { raw: located(body) }),
    headers,
  })
  assertStandardHeaders(reply.headers)
  assert.ok(reply.status < 500, reply.text)
  if (reply.status < 300) harvest(reply.text)
  return reply
}

/** Codes that judge the shape of a request, which the document knows in full. */
const SHAPE = [
  ...['required', 'unknown_field', 'invalid_type', 'invalid_choice', 'out_of_range', 'too_short', 'too_long', 'too_few', 'too_many'],
  ...['invalid_format', 'invalid_name', 'invalid', 'malformed_json', 'invalid_characters', 'too_deep', 'repeated'],
]

/** Rules that only the text of the document states. */
const IN_WORDS =
  /\burl too_long|\b(since|until) out_of_range|\bdiscount_amount out_of_range|\b(variant_id|since|text) required|\btext too_long/

/** Members that the document leaves to an app's manifest: their names are not among those of the body. */
function isDeclaredElsewhere(operation: Operation, field: string): boolean {
  const { properties = {}, additionalProperties } = contract.resolved(jsonOf(operation)?.schema ?? {})
  return typeof additionalProperties === 'object' && !Object.hasOwn(properties, field)
}

function assertTaken(operation: Operation, sent: Sent, reply: Reply): boolean {
  const { status, text, body } = reply
  if (status < 300 || status === 304) return true
  const { described } = operations.find(each => each.path === sent.path && each.method === sent.method.toLowerCase()) as Operation
  // Its body names a thing that has to be there.
  const named = !sent.path.includes('{') && sent.body !== undefined && '404' in described.responses
  const states = [409, 422, ...(named ? [404] : []), ...('If-Match' in sent.headers || 'If-Unmodified-Since' in sent.headers ? [412] : [])]
  assert.ok(states.includes(status), `a request that fits the document was refused: ${text}`)
  if (status !== 422) return false
  const wrong = body.errors.find(
    ({ field, code }: Json) => SHAPE.includes(code) && !IN_WORDS.test(`${field} ${code}`) && !isDeclaredElsewhere(operation, field),
  )
  assert.equal(wrong, undefined, `the document calls this valid: ${text}`)
  return false
}

async function assertFound(reply: Reply): Promise<void> {
  const location = reply.status < 300 && reply.headers.get('location')
  if (!location) return
  // Not from `currentTenant`: it may be another tenant by now.
  const { shop } = current as FullTenant
  const found = await shop.get(location)
  assert.equal(found.status, 200, `${location}, which was just made, answers ${found.text}`)
  // A file is found as its bytes.
  if (reply.body?.id && found.body) assert.equal(found.body.id, reply.body.id)
}

/** The events since the last call. */
async function assertEvents(): Promise<void> {
  const shop = await currentTenant()
  for (let more = true; more; ) {
    const { body } = await shop.shop.get(`/api/v1/events?limit=100${shop.lastEvent ? `&after=${shop.lastEvent}` : ''}`)
    for (const { object: _object, ...event } of body.data) if (event.type in document.webhooks) contract.assertEvent(event)
    shop.lastEvent = body.data.at(-1)?.id ?? shop.lastEvent
    more = body.has_more
  }
}

function check<T>(
  requests: fc.Arbitrary<T>,
  predicate: (request: T) => Promise<void>,
  numRuns = RUNS,
  isEnough = () => true,
): Promise<void> {
  let until: number | undefined
  const property = fc.asyncProperty(requests, async request => {
    if (until !== undefined && performance.now() > until && isEnough()) return
    until ??= performance.now() + MS_PER_PROPERTY
    await predicate(request)
  })
  return fc.assert(property, { seed: SEED, numRuns })
}

/** Event streams, which would not end here: no worker runs, so nothing happens. */
const endless = ({ described }: Operation): boolean => 'text/event-stream' in (described.responses['200']?.content ?? {})

// Creates come first, so that the rest can read what they made; deletes come last.
const RANK = ['post', 'get', 'patch', 'delete']
const operations = contract.operations
  .filter(each => RANK.includes(each.method) && !endless(each))
  .sort((a, b) => RANK.indexOf(a.method) - RANK.indexOf(b.method))

// Making it is no part of the time of the first property.
await currentTenant()

for (const operation of operations) {
  const { method, path, described } = operation
  suite(`${method.toUpperCase()} ${path} (seed ${SEED})`, () => {
    test('takes what fits the document, unless the state of things is against it', async () => {
      let taken = 0
      await check(
        fittingRequest(contract, operation),
        async request => {
          const reply = await send(request)
          if (assertTaken(operation, request, reply) || reply.status === 409) taken++
          await assertFound(reply)
          if (method === 'delete') current = undefined
        },
        method === 'delete' ? 5 : RUNS,
        () => taken > 0,
      )
      assert.ok(taken > 0, 'no request was accepted')
      if (method !== 'get') await assertEvents()
    })

    test('refuses what has a fault', () =>
      described.security.length === 0 && described.parameters.length < 3
        ? undefined
        : check(faultyRequest(contract, operation), async request => {
            const { status, text, body } = await send(request)
            const { expected, inBatch } = request
            if (inBatch && (status === 413 || (status === 207 && body.results.some((each: Json) => each.status === expected)))) return
            assert.equal(status, expected, text)
          }))

    test('answers whatever is sent', () => check(anyRequest(contract, operation), async request => void (await send(request))))
  })
}

test('HEAD answers as GET does, without the body', async () => {
  for (const operation of operations.filter(({ method }) => method === 'get'))
    await check(
      anyRequest(contract, operation),
      async request => {
        const [before, head, get] = [await send(request), await send({ ...request, method: 'HEAD' }), await send(request)]
        assert.equal(head.status, get.status)
        // An answer may tell of the moment, as that of a health does.
        const [earlier, etag, later] = [before, head, get].map(({ headers }) => headers.get('etag'))
        if (earlier === later) assert.equal(etag, later)
      },
      3,
    )
})
