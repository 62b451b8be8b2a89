// The answer to a bulk request: a result for each item, and a bounded number of errors.
import { ERRORS_MAX } from '../limits/bodies.ts'
import { type FieldError, invalid, Problem } from '../problems.ts'
import type { Answer } from './route.ts'

export interface Done {
  /** The public JSON of the written resource. */
  json: string
}

/** The result of one item. */
export interface Result {
  status: number
  outcome: Done | Problem
}

/** @throws {Problem} 422 where every item failed: then nothing is kept, and no Idempotency-Key either */
export function answer(url: string, found: Result[], documentOf: (problem: Problem) => unknown): Answer {
  const results = withFewErrors(found)
  const failures = results.filter(({ outcome }) => outcome instanceof Problem)
  const summary = { total: results.length, succeeded: results.length - failures.length, failed: failures.length }
  if (summary.succeeded === 0) throw noneWritten(url, results, summary, documentOf)
  const texts = results.map(({ outcome, status }, index) =>
    outcome instanceof Problem
      ? JSON.stringify({ index, status, error: documentOf(outcome) })
      : `{"index":${index},"status":${status},"data":${outcome.json}}`,
  )
  return {
    status: summary.failed === 0 ? 200 : 207,
    body: `{"object":"bulk_result","url":${JSON.stringify(url)},"summary":${JSON.stringify(summary)},"results":[${texts.join()}]}`,
  }
}

// All items together tell as many errors as any request, and each item its first besides: fifty times a hundred would be a megabyte.
function withFewErrors(results: Result[]): Result[] {
  let left = ERRORS_MAX
  return results.map(result => {
    const errors = result.outcome instanceof Problem ? (result.outcome.members['errors'] as FieldError[] | undefined) : undefined
    if (!errors) return result
    const told = errors.slice(0, Math.max(1, left))
    left -= told.length
    return told.length < errors.length ? { ...result, outcome: invalid(told) } : result
  })
}

function noneWritten(url: string, results: Result[], summary: object, documentOf: (problem: Problem) => unknown): Problem {
  const problem = invalid(results.flatMap(({ outcome }, index) => errorsOf(outcome as Problem, index)))
  const failed = results.map(({ outcome, status }, index) => ({ index, status, error: documentOf(outcome as Problem) }))
  Object.assign(problem.members, { object: 'bulk_result', url, summary, results: failed })
  return problem
}

// The errors of an item, as errors of the whole body.
function errorsOf({ type, message, members }: Problem, index: number): FieldError[] {
  const at = `items[${index}]`
  const { errors, code } = members as { errors?: FieldError[]; code?: string }
  if (!errors) return [{ field: at, code: code ?? type, message }]
  return errors.map(error => ({ ...error, field: error.field ? `${at}.${error.field}` : at }))
}
