// Whether an update of the generic format has its shape.
import { check, fits } from '../../../ingress/validate.ts'
import type { FieldError } from '../../../problems.ts'
import { ApiUpdate, REQUIRED } from './schema.ts'

/** @returns what is wrong with it, field by field */
export function errorsOf(value: unknown): FieldError[] {
  const errors = fits(ApiUpdate, value) ? [] : check(ApiUpdate, value)
  return errors.length > 0 ? errors : missing(value as ApiUpdate)
}

function missing(update: ApiUpdate): FieldError[] {
  const type = update.type ?? 'message'
  return REQUIRED[type]
    .filter(members => !members.some(each => update[each] !== undefined))
    .map(([field, ...others]) => ({
      field: field as string,
      code: 'required',
      message: `must be given${others.length > 0 ? `, or ${others.join(' or ')},` : ''} where type is ${type}.`,
    }))
}
