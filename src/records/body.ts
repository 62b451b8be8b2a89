// The body of a record, as it was given: what its shape refuses is told by what was meant, which the shape itself cannot say.
import type { Static, TSchema } from 'typebox'
import { check } from '../ingress/validate.ts'
import { isJsonObject } from '../json.ts'
import { MANIFEST_LISTS } from '../limits/apps.ts'
import { type FieldError, fieldOf, invalid } from '../problems.ts'
import { type NewRecord, RESERVED } from './schema.ts'
import { reserved } from './values.ts'

/** Names under which the fields of other systems' records stand. */
const WRAPPERS = ['data', 'record', 'fields', 'values', 'attributes', 'properties']

/** @throws {Problem} 422 with each member that is no value, and the way out */
export function readRecord<T extends typeof NewRecord | TSchema>(schema: T, body: unknown): Static<T> {
  const count = isJsonObject(body) ? Object.keys(body).length : 0
  const errors = check(schema, body)
  if (errors.length > 0) throw invalid(errors.map(error => told(error, count)))
  return body as Static<T>
}

function told(error: FieldError, count: number): FieldError {
  const { field, code } = error
  if (field === '' && code === 'too_many')
    return {
      ...error,
      message: `has ${count} members; a resource has at most ${MANIFEST_LISTS.fields} fields, and its records an external_id.`,
    }
  if (field === '' && code === 'invalid_type')
    return { ...error, message: 'must be an object with the fields of one record, such as {"points": 100}.' }
  if (code !== 'invalid_type' || field === 'external_id') return error
  const name = RESERVED.find(each => fieldOf([each]) === field)
  if (name !== undefined) return { field, ...reserved(name) }
  if (WRAPPERS.includes(field))
    return {
      ...error,
      message: 'holds a list or an object, and a field holds one value; give the fields beside each other, at the top of the body.',
    }
  return {
    ...error,
    message: 'must be one value: a text, a number, true or false, or null; keep lists and objects in a system of your own.',
  }
}
