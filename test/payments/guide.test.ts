// The guide of payments, word by word: its commands, its requests, its program, its schema and its signature vectors.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock, suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Command } from 'commander'
import { check } from '../../src/ingress/validate.ts'
import { verifyWebhook } from '../../src/outbound/sign.ts'
import { commands } from '../../src/payments/commands.ts'
import { isSigned } from '../../src/payments/providers/secrets.ts'
import { GenericEvent } from '../../src/payments/reading/generic-schema.ts'
import { STRIPE_TYPES } from '../../src/payments/reading/stripe.ts'
import { examplesOf, reader } from '../docs/examples.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { vectorsOf } from '../support/vectors.ts'
import { paymentApp } from './given.ts'
import { event, intent, SECRET } from './stripe-events.ts'

const app = await paymentApp()
const file = (name: string) => new URL(`../../docs/${name}`, import.meta.url)
const guide = readFileSync(file('payments.md'), 'utf8')
/** The fenced blocks of a language. */
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(match => match[1] as string)

before(() => Object.assign(process.env, settingsOf(app)))
after(() => mock.restoreAll())

/** Runs a line of `bin/shopdesk`. @returns what it prints */
async function run(line: string): Promise<string> {
  const said: string[] = []
  const log = mock.method(console, 'log', (text: string) => said.push(text))
  const program = new Command('shopdesk').exitOverride()
  commands(program)
  try {
    await program.parseAsync(line.trim().split(/\s+/).slice(1), { from: 'user' })
  } finally {
    log.mock.restore()
  }
  return said.join('\n')
}

test('its commands do what it says, for Stripe: made, told to, rolled, shown', async t => {
  const shop = await app.tenant()
  const lines = blocks('console').flatMap(block => block.trim().split('\n'))
  const folder = mkdtempSync(join(tmpdir(), 'payments-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const secrets = join(folder, 'stripe-secret.txt')
  const inShop = (line: string) => line.replace('ten_…', shop.id).replace('@stripe-secret.txt', `@${secrets}`)
  const [old, renewed] = [SECRET, `whsec_${'6a'.repeat(16)}`]
  writeFileSync(secrets, `${old}\n`)
  const [create, log, ledger, update] = lines.map(inShop) as [string, string, string, string]
  const made = JSON.parse(await run(`${create} --json`))
  assert.deepEqual(Object.keys(made), ['id', 'provider', 'callback_url'])
  assert.match(made.callback_url, new RegExp(`^http.*/api/payments/${made.id}/callback$`))
  const at = { id: made.id as string, shop, kind: 'stripe' as const, secret: old }
  const { id } = await app.order(at)
  await app.tell(at, event('payment_intent.succeeded', intent({ metadata: { order_id: id } })))
  assert.match(await run(log.replace('pay_…', made.id)), /applied/)
  assert.match(await run(ledger), new RegExp(`paid +4900 +0 +EUR +stripe +pi_1 +${id}`))
  writeFileSync(secrets, `${renewed}\n${old}\n`)
  const changed = await run(update.replace('pay_…', made.id))
  assert.doesNotMatch(changed, /whsec_/)
  for (const secret of [renewed, old]) {
    const raw = JSON.stringify(event('customer.created', {}))
    assert.equal((await app.post(at, raw, app.signed({ ...at, secret }, raw))).status, 200)
  }
})

test('its program pays an order through a generic provider', async () => {
  const shop = await app.tenant()
  const create = blocks('console').find(block => block.includes('generic')) as string
  const made = JSON.parse(await run(`${create.replace('ten_…', shop.id)} --json`))
  assert.deepEqual(Object.keys(made), ['id', 'provider', 'callback_url', 'secret'])
  const at = { id: made.id as string, shop, kind: 'generic' as const, secret: made.secret as string }
  const { id } = await app.order(at, { items: [{ name: 'Lamp', unit_amount: 2500, quantity: 1 }] })
  const folder = mkdtempSync(join(tmpdir(), 'payments-'))
  try {
    writeFileSync(join(folder, 'pay.mjs'), blocks('js')[0] as string)
    const said = await new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, [join(folder, 'pay.mjs'), app.url + app.pathOf(at), at.secret, id])
      let text = ''
      child.stdout.on('data', chunk => (text += chunk))
      child.on('error', reject).on('close', () => resolve(text))
    })
    assert.match(said, /^200 \{"object":"callback","id":"cbk_/)
  } finally {
    rmSync(folder, { recursive: true })
  }
  await eventuallyHolds(async () => assert.equal((await app.orderOf(at, id)).payment_status, 'paid'))
})

test('its requests are answered as it says', async () => {
  const shop = await app.tenant()
  const reading = reader(app, shop.key)
  const statuses: number[] = []
  for (const example of examplesOf('payments')) {
    const reply = await reading.run(example)
    ok(reply)
    statuses.push(reply.status)
  }
  assert.deepEqual(statuses, [200, 201, 201, 201, 200, 200])
})

test('it names the events to choose at Stripe, and what becomes of each', () => {
  const step = /these events: (.*?)\. Choose/s.exec(guide)?.[1] as string
  assert.deepEqual(
    [...step.matchAll(/`([^`]+)`/g)].map(match => match[1]),
    STRIPE_TYPES,
  )
})

test('its examples of the generic format fit the schema', () => {
  const examples = blocks('json')
    .map(text => JSON.parse(text))
    .filter(each => 'type' in each)
  assert.equal(examples.length, 2)
  for (const each of examples) assert.deepEqual(check(GenericEvent, each), [])
})

test('the JSON Schema is that of the code, for any validator: UPDATE=1 writes it anew', () => {
  const schema = JSON.parse(
    JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...GenericEvent }, (_key, value) => {
      const { format, ...rest } = Object(value)
      return format === 'currency' ? { ...rest, pattern: '^[A-Z]{3}$' } : value
    }),
  )
  const url = file('payments/callback.schema.json')
  if (process.env['UPDATE']) writeFileSync(url, `${JSON.stringify(schema, null, 2)}\n`)
  assert.deepEqual(JSON.parse(readFileSync(url, 'utf8')), schema)
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  const good = { id: 'e', type: 'payment.succeeded', reference: 'p', amount: 1, currency: 'EUR' }
  for (const value of [
    good,
    { ...good, amount: -1, occurred_at: '2026-01-01T00:00:00Z' },
    {},
    { ...good, a: 1 },
    { ...good, amount: '1' },
    { ...good, currency: 'eur' },
  ])
    assert.equal(fits(value), check(GenericEvent, structuredClone(value)).length === 0, JSON.stringify(value))
})

suite('the signature vectors', () => {
  for (const { name, secret, header, body, now, valid } of vectorsOf('payments'))
    test(`${name}: ${valid}`, () => {
      assert.equal(verifyWebhook(secret, header, body, now), valid)
      const signed = { headers: { 'x-service-signature': header }, raw: Buffer.from(body) }
      assert.equal(isSigned('generic', [secret], signed, now * 1000), valid)
    })
})
