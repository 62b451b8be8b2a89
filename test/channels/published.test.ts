// What the guide of the generic channel hands out is what the service does.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { errorsOf } from '../../src/channels/platforms/api/check.ts'
import { messageSchema, updateSchema } from '../../src/channels/platforms/api/published.ts'
import { PLATFORMS } from '../../src/channels/platforms/platforms.ts'
import { verifyWebhook } from '../../src/outbound/sign.ts'
import { vectorsOf } from '../support/vectors.ts'
import { api } from './fixtures/api.ts'

const file = (name: string) => new URL(`../../docs/channels/${name}`, import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** `UPDATE=1 npm test -- test/channels/published.test.ts` writes them anew. */
function assertPublished(name: string, schema: object): void {
  if (process.env['UPDATE']) writeFileSync(file(name), `${JSON.stringify(schema, null, 2)}\n`)
  assert.deepEqual(read(name), schema, `${name} is not what the code says: UPDATE=1 writes it anew`)
}

test('the JSON Schemas of the generic format are those of the code', () => {
  assertPublished('update.schema.json', updateSchema())
  assertPublished('message.schema.json', messageSchema())
})

test('the published schema refuses what the service refuses, and nothing else', () => {
  const fits = ajv.compile(read('update.schema.json'))
  const from = { id: 'c-1' }
  const refused = [
    {},
    { id: 'm', from },
    { id: 'm', from, type: 'edit', text: 'x' },
    { id: 'm', from, type: 'read' },
    { id: 'm', from, text: 'x', a: 1 },
  ]
  for (const value of [...api.map(each => each.callback), ...refused])
    assert.equal(fits(value), errorsOf(value).length === 0, JSON.stringify(value))
})

test('the signature vectors hold, for our own check and for that of callbacks', () => {
  const vectors = vectorsOf('channels')
  assert.ok(vectors.some(each => each.valid) && vectors.some(each => !each.valid))
  for (const { name, secret, header, body, now, valid } of vectors) {
    assert.equal(verifyWebhook(secret, header, body, now), valid, name)
    const signed = { headers: { 'x-service-signature': header }, raw: Buffer.from(body) }
    assert.equal(PLATFORMS.api.verify(signed, [{ secret }], now * 1000), valid, name)
  }
})

/** The fenced blocks of a guide, by language. */
const blocks = (name: string, language: string): string[] =>
  [...readFileSync(file(name), 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(match => match[1] as string)

test('the examples of the guide fit the schemas', () => {
  const [update, message] = [ajv.compile(read('update.schema.json')), ajv.compile(read('message.schema.json'))]
  const examples = blocks('generic.md', 'json').map(text => JSON.parse(text) as { to?: object })
  assert.ok(examples.length >= 4)
  for (const example of examples) assert.ok('to' in example ? message(example) : update(example), JSON.stringify(example))
})
