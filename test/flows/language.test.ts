// What templates become and which conditions hold, when a flow runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kind, object, type Shape } from '../../src/apps/manifest/paths.ts'
import type { Condition } from '../../src/apps/manifest/shape.ts'
import { boundOf, firstUnmet, heldBy, looked } from '../../src/flows/language/conditions.ts'
import { lookup, type Surroundings } from '../../src/flows/language/lookup.ts'
import { render, renderText } from '../../src/flows/language/render.ts'
import { subjectOf } from '../../src/flows/language/subject.ts'
import { candidates, sieveOf } from '../../src/flows/matching/sieve.ts'
import { Problem } from '../../src/problems.ts'
import { seeded } from '../support/random.ts'

const around: Surroundings = {
  event: {
    order: {
      number: 7,
      total_amount: 4900,
      status: 'SHIPPED',
      note: null,
      customer: { name: 'Zoë', contact_id: 'con_1' },
      tags: ['VIP', 'new'],
    },
    at: '2026-05-25T09:30:00.000Z',
    day: '2026-05-25',
    text: '{{event.order.number}}',
  },
  trigger: { id: 'evt_1', type: 'order.paid', created_at: '2026-05-25T09:30:00.000Z' },
  steps: { award: { output: { points: 12 } }, broken: { error: { code: 'timeout', message: 'It did not answer.' } } },
  config: { greeting: 'Hello' },
  run: { id: 'run_1' },
}

const renders: [name: string, template: unknown, rendered: unknown][] = [
  ['a lone template keeps the type', '{{event.order.total_amount}}', 4900],
  ['also of an object', '{{ event.order.customer }}', { name: 'Zoë', contact_id: 'con_1' }],
  ['and null', '{{event.order.note}}', null],
  ['inside a text null is empty', 'Note: {{event.order.note}}.', 'Note: .'],
  ['an object in a text is JSON', 'For {{event.order.customer}}', 'For {"name":"Zoë","contact_id":"con_1"}'],
  ['several in one text', '{{config.greeting}}, {{event.order.customer.name}}: {{event.order.number}}', 'Hello, Zoë: 7'],
  ['what is rendered is never read again', 'It says {{event.text}}', 'It says {{event.order.number}}'],
  ['nor where it is alone', '{{event.text}}', '{{event.order.number}}'],
  ['an entry by its number', '{{event.order.tags.0}}', 'VIP'],
  ['a path that leads nowhere', '{{event.order.tags.length}}', null],
  ['members of everything are no members', '{{event.order.constructor.name}}', null],
  ['the output of a step', '{{steps.award.output.points}}', 12],
  ['the error of a step', '{{steps.broken.error.code}}', 'timeout'],
  [
    'inside lists and objects',
    { list: [1, '{{run.id}}', true], other: { id: '{{trigger.id}}' } },
    { list: [1, 'run_1', true], other: { id: 'evt_1' } },
  ],
]
for (const [name, template, rendered] of renders)
  test(`template: ${name}`, () => assert.deepEqual(render(template, around, 'input'), rendered))

test('what becomes too large is refused before it is made', () => {
  const large = { ...around, event: { text: 'x'.repeat(16 * 1024), more: 'ä'.repeat(8 * 1024 + 1) } }
  assert.equal(renderText('{{event.text}}', large, 'text').length, 16 * 1024)
  assert.throws(() => render('{{event.more}}', large, 'text'), Problem, 'bytes, not characters')
  assert.throws(() => render('{{event.text}}{{run.id}}', large, 'text'), Problem)
  assert.throws(() => render(['{{event.text}}', '{{event.text}}', '{{event.text}}', '{{event.text}}'], large, 'input'), Problem)
  assert.throws(() => render('{{event.text}}'.repeat(100_000), large, 'text'), Problem)
})

const shape: Shape = object({
  event: object({
    order: object({
      number: { kind: 'number' },
      status: { kind: 'text', choices: ['pending', 'SHIPPED'] },
      note: { kind: 'text' },
      customer: object({ name: { kind: 'text' } }),
      tags: { kind: 'list', each: { kind: 'text' } },
    }),
    at: { kind: 'time' as Kind },
    day: { kind: 'time' as Kind },
  }),
})
const holds: [field: string, op: Condition['op'], value: unknown, holds: boolean][] = [
  ['event.order.number', 'eq', 7, true],
  ['event.order.number', 'eq', '7', false],
  ['event.order.number', 'gt', 6, true],
  ['event.order.number', 'gte', 7, true],
  ['event.order.number', 'lt', 7, false],
  ['event.order.number', 'lte', 7, true],
  ['event.order.number', 'in', [1, 7], true],
  ['event.order.number', 'not_in', [1, 7], false],
  ['event.order.status', 'eq', 'shipped', true],
  ['event.order.status', 'in', ['Shipped'], true],
  ['event.order.status', 'ne', 'shipped', false],
  ['event.order.customer.name', 'eq', 'zoë', false],
  ['event.order.customer.name', 'contains', 'oë', true],
  ['event.order.tags', 'contains', 'VIP', true],
  ['event.order.tags', 'contains', 'vip', false],
  ['event.order.tags.1', 'eq', 'new', true],
  ['event.at', 'eq', '2026-05-25T11:30:00+02:00', true],
  ['event.at', 'gt', '2026-05-25T09:29:59Z', true],
  ['event.at', 'lt', '2026-05-25T11:30:00+02:00', false],
  ['event.at', 'gt', '2026-05-25', true],
  ['event.day', 'gt', '2026-05-24T23:59:59Z', true],
  ['event.day', 'lt', '2026-05-25', false],
  ['event.day', 'eq', '2026-05-25T02:00:00+02:00', true],
  ['event.day', 'in', ['2026-05-24', '2026-05-25'], true],
  ['event.order.note', 'exists', false, true],
  ['event.order.note', 'exists', true, false],
  ['event.order.note', 'eq', '', false],
  ['event.order.note', 'ne', 'x', true],
  ['event.order.note', 'not_in', ['x'], true],
  ['event.order.note', 'in', ['x'], false],
  ['event.order.note', 'contains', 'x', false],
  ['event.order.note', 'lt', 5, false],
  ['steps.award.output.points', 'gt', 11, true],
  ['steps.award.output.points', 'gt', '11', false],
]
for (const [field, op, value, expected] of holds)
  test(`condition: ${field} ${op} ${JSON.stringify(value)} ${expected ? 'holds' : 'does not hold'}`, () => {
    const [found] = looked([{ field, op, value }], around, shape)
    assert.equal(found?.holds, expected)
    assert.deepEqual(found?.met, lookup(around, field))
    assert.equal(firstUnmet([{ field, op, value }], around, shape) === undefined, expected)
  })

test('an event tells its contact by any of the names that it has for it', () => {
  assert.equal(subjectOf(around, 'contact'), 'con_1')
  assert.equal(subjectOf({ ...around, event: { contact_id: 'con_2', contact: { id: 'con_3' } } }, 'contact'), 'con_2')
  assert.equal(subjectOf({ ...around, event: { message: { conversation_id: 'conv_1' } } }, 'conversation'), 'conv_1')
  assert.equal(subjectOf(around, 'product'), undefined)
  // Events name what is not there by null.
  assert.equal(subjectOf({ ...around, event: { contact_id: null, contact: { id: 'con_4' } } }, 'contact'), 'con_4')
  assert.equal(subjectOf({ ...around, event: { order: { conversation_id: null } } }, 'conversation'), undefined)
})

test('a sieve leaves out no flow whose conditions hold, keeps their order, and leaves out most that ask for other numbers', () => {
  const random = seeded(7)
  const any = <T>(items: readonly T[]): T => items[Math.floor(random.between(0, items.length))] as T
  const numbers = [-1.5, 0, 1, 2, 2, 3]
  const ops = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'exists', 'in'] as const
  let [looked, kept] = [0, 0]
  for (let round = 0; round < 500; round++) {
    const flows = Array.from({ length: 12 }, () => ({
      conditions: Array.from({ length: Math.floor(random.between(0, 3)) }, () => {
        const op = any(ops)
        const value = op === 'exists' ? any([true, false]) : op === 'in' ? [any(numbers)] : any([...numbers, '2026-05-25', '2'])
        const condition = { field: 'event.n', op, value } as Condition
        return { path: any([0, 1]), held: heldBy(condition, { kind: 'any' }), bound: boundOf(condition) }
      }),
    }))
    const met = [any([...numbers, null, '2', 'x']), any([...numbers, null])]
    const begin = (all: typeof flows) => all.filter(({ conditions }) => conditions.every(({ path, held }) => held(met[path])))
    const found = candidates(sieveOf(flows), met)
    assert.deepEqual(begin(found), begin(flows))
    looked += flows.length
    kept += found.length
  }
  assert.ok(kept < 0.9 * looked, `${kept} of ${looked}`)
})
