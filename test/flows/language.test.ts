// What templates become and which conditions hold, when a flow runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kind, object, type Shape } from '../../src/apps/manifest/paths.ts'
import type { Condition } from '../../src/apps/manifest/shape.ts'
import { firstUnmet, looked } from '../../src/flows/language/conditions.ts'
import { lookup, type Surroundings } from '../../src/flows/language/lookup.ts'
import { render, renderText } from '../../src/flows/language/render.ts'
import { subjectOf } from '../../src/flows/language/subject.ts'
import { Problem } from '../../src/problems.ts'

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
})
