// The schemas that the server checks requests with, against those of the OpenAPI document: every generated fault, of every body and every
// query parameter, is a fault to both or to neither. No request is sent, so there can be tens of thousands.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { loadConfig } from '../../src/config.ts'
import { takesJson } from '../../src/ingress/body.ts'
import { readQuery } from '../../src/ingress/query.ts'
import { check } from '../../src/ingress/validate.ts'
import { restRoutes } from '../../src/rest.ts'
import { contractOf, type Json } from '../support/contract.ts'
import { invalidValues } from '../support/invalid-values.ts'
import { jsonOf, parametersOf, read, text } from '../support/requests.ts'
import { validValues } from '../support/schema-arbitraries.ts'

const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: 'https://shop.example' })
// Only the schemas are used: no route is called.
const { routes, document } = restRoutes(config, {} as never, {} as never)
const contract = contractOf(JSON.parse(JSON.stringify(document())))

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_525)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 8)
const valuesOf = (schema: Json): Json[] =>
  fc
    .sample(validValues(schema, contract.resolved), { seed: SEED, numRuns: RUNS })
    .flatMap(value => [value, ...invalidValues(schema, value, contract.resolved).map(fault => fault.value)])

test('each schema is sound by the schema of schemas, which the server does not ask', () => {
  const ajv = new Ajv2020()
  for (const route of routes)
    for (const schema of ['query' in route && route.query, 'body' in route && route.body])
      if (schema) assert.ok(ajv.validateSchema(schema), `${route.method} ${route.path}: ${ajv.errorsText()}`)
})

for (const route of routes) {
  const operation = contract.operations.find(({ method, path }) => method === route.method.toLowerCase() && path === route.path)
  // What a signed link opens is no part of the keyed API, which the document describes.
  if ('public' in route && route.public) continue
  assert.ok(operation)
  suite(`${route.method} ${route.path}`, () => {
    const body = takesJson(route) && !route.readBody ? route.body : undefined
    const media = jsonOf(operation)
    if (body && media)
      test('the body', () => {
        for (const value of valuesOf(media.schema)) {
          const sent = JSON.stringify(value)
          // A value that no JSON of ours may hold is refused before any schema is checked.
          if (/\\u0000|\\ud[89a-f][0-9a-f]{2}|"__proto__":/.test(sent)) continue
          const errors = check(body, JSON.parse(sent))
          assert.equal(
            contract.fits(media.schema, JSON.parse(sent)),
            errors.length === 0,
            `${JSON.stringify(errors)} ${sent.slice(0, 1_000)}`,
          )
        }
      })

    const { properties = {} }: Json = 'query' in route ? route.query : {}
    for (const { name, schema } of parametersOf(contract, operation, 'query'))
      test(`?${name}=`, () => {
        const only = { type: 'object', properties: { [name]: properties[name] } } as never
        for (const given of new Set(valuesOf(schema).map(text)))
          if (given.isWellFormed() && !given.includes('\0'))
            assert.equal(
              contract.fits(schema, read(schema, given)),
              takes(() => readQuery(only, { [name]: given })),
              given.slice(0, 200),
            )
      })
  })
}

function takes(reading: () => unknown): boolean {
  try {
    reading()
    return true
  } catch {
    return false
  }
}
