import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../src/json.ts'

test('a name with a backslash is refused, however it is written; in values, and other escapes in names, all is read', () => {
  const refused = [{ 'a\\': 1 }, { '\\n': 1 }, [{ a: { 'b\\c': null } }]].map(value => JSON.stringify(value))
  for (const text of [...refused, '{"\\u005C" :1}', '{"a":"\\\\\\"","b\\\\"\n:1}'])
    assert.throws(() => readJson(text), new SyntaxError('the name of a member holds a backslash, which is refused'), text)
  for (const value of [{ a: '\\' }, { a: '\\":' }, ['\\', { 'b"\n': '\\' }], 'a\\', { a: 'b\\', c: 1 }])
    assert.deepEqual(readJson(JSON.stringify(value)), value)
  assert.throws(() => readJson('{"a\\\\'), SyntaxError)
})

test('names with escaped characters stay what they are, whatever was read before', () => {
  for (let i = 0; i < 3; i++) {
    assert.throws(() => readJson('{"h":[],"\\\\":0}'))
    assert.deepEqual(Object.keys(readJson('{"h":1,"\\"":2}') as object), ['h', '"'])
  }
})
