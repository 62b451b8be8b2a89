// A body that is read in parts has the same value as one that is read at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../src/ingress/json.ts'
import { parseInParts } from '../../src/ingress/json-parts.ts'
import { BULK_VALUES_MAX, JSON_SLICE_BYTES, JSON_VALUES_MAX } from '../../src/limits/bodies.ts'
import { Problem } from '../../src/problems.ts'
import { drawn } from '../support/random.ts'

const inParts = (text: string) => parseInParts(Buffer.from(text), BULK_VALUES_MAX, () => undefined)

async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() }
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return { status: error.status, field: (error.members['errors'] as { field: string; code: string }[])[0] }
  }
}

const list = fc.array(fc.json({ maxDepth: 3 }), { maxLength: 5 })
const blank = fc.constantFrom('', ' ', '\n\t')
const texts = fc.oneof(
  fc.json(),
  fc.tuple(list, blank).map(([items, b]) => `${b}[${b}${items.join(`${b},${b}`)}${b}]${b}`),
  fc
    .tuple(fc.array(fc.tuple(fc.constantFrom('items', 'x', '["', '\\"],['), fc.oneof(list, fc.json())), { maxLength: 4 }), blank)
    .map(
      ([members, b]) =>
        `{${members.map(([name, each]) => `${JSON.stringify(name)}${b}:${Array.isArray(each) ? `[${b}${each.join(`${b},`)}${b}]` : each}`).join()}${b}}`,
    ),
)

test('any JSON has the same value in parts as at once', () =>
  fc.assert(
    fc.asyncProperty(texts, async text => {
      assert.deepEqual(await outcome(() => inParts(text)), await outcome(() => parseJson(text, BULK_VALUES_MAX)))
    }),
    drawn(1_000),
  ))

test('a text with one character changed is JSON in parts exactly when it is JSON at once', () =>
  fc.assert(
    fc.asyncProperty(texts, fc.nat(), fc.constantFrom('', '[', ']', '{', '}', ',', '"', ':', '\\', '0', '-'), async (text, seed, other) => {
      const at = seed % (text.length + 1)
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      const [ours, plain] = [await outcome(() => inParts(changed)), await outcome(() => parseJson(changed, BULK_VALUES_MAX))]
      const isJson = (each: unknown) => !JSON.stringify(each).includes('malformed_json')
      assert.equal(isJson(ours), isJson(plain), changed)
      if (isJson(plain)) assert.deepEqual(ours, plain, changed)
    }),
    drawn(3_000),
  ))

test('an escape may cross from one slice to the next', async () => {
  for (let before = JSON_SLICE_BYTES - 6; before < JSON_SLICE_BYTES; before++) {
    const text = JSON.stringify([`${'x'.repeat(before)}"],[{`, { a: '\\",[' }])
    assert.deepEqual(await inParts(text), JSON.parse(text))
  }
})

test('malformed UTF-8 is refused, and a byte order mark is allowed at the beginning alone', async () => {
  const [mark, half] = ['\uFEFF', Buffer.from('ä').subarray(0, 1)]
  assert.deepEqual(await inParts(`${mark}[{"ä":["😀"]}]`), [{ ä: ['😀'] }])
  const isMalformed = async (body: Buffer) =>
    assert.match(JSON.stringify(await outcome(() => parseInParts(body, BULK_VALUES_MAX, () => undefined))), /malformed_json/, `${body}`)
  await isMalformed(Buffer.from(`[1,${mark}2]`))
  await isMalformed(Buffer.from(`{"a":[${mark}2]}`))
  for (const [before, after] of [
    ['["', '"]'],
    ['[1,"', '",2]'],
    ['{"', '":[1]}'],
    ['{"a":[1],"', '":2}'],
  ] as const)
    await isMalformed(Buffer.concat([Buffer.from(before), half, Buffer.from(after)]))
})

test('a value that cannot be kept is named by its place', async () => {
  for (const text of ['[0,{"a":["\\u0000"]}]', '{"items":[0,{"a":["\\u0000"]}]}', '{"a":0,"__proto__":[1]}', '[1,[2,1e999]]'])
    assert.deepEqual(await outcome(() => inParts(text)), await outcome(() => parseJson(text, BULK_VALUES_MAX)), text)
})

test('one element, and everything outside of elements, has no more values than a body that is read at once', async () => {
  const values = (count: number) => JSON.stringify(Array.from({ length: 10 }, () => Array(count / 10 - 1).fill(0)))
  const most = values(JSON_VALUES_MAX - 10)
  for (const text of [`[${most},${most},${most}]`, `{"a":{"b":${most}},"c":[${most}]}`]) await inParts(text)
  const more = values(JSON_VALUES_MAX + 10)
  for (const text of [`[0,${more}]`, `{"a":{"b":${more}},"c":[]}`, `{"c":[[${more}]]}`]) {
    const refused = await inParts(text).then(
      () => assert.fail(),
      (error: unknown) => error as Problem,
    )
    assert.deepEqual([refused.status, refused.members['max_values']], [413, JSON_VALUES_MAX], text.slice(0, 20))
  }
})
