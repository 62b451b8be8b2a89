// The problem types of the interface: one registry, one throw, one translation (RFC 7807).
import { ERRORS_MAX, FIELD_CHARS } from './limits/bodies.ts'

export const PROBLEMS = {
  'authentication-required': { status: 401, title: 'Authentication required' },
  'invalid-api-key': { status: 403, title: 'Invalid API key' },
  'insufficient-scope': { status: 403, title: 'Insufficient scope' },
  'rate-limit-exceeded': { status: 429, title: 'Rate limit exceeded' },
  'validation-failed': { status: 422, title: 'Validation failed' },
  'resource-not-found': { status: 404, title: 'Resource not found' },
  conflict: { status: 409, title: 'Conflict' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'internal-error': { status: 500, title: 'Internal error' },
  'service-unavailable': { status: 503, title: 'Service unavailable' },
} as const
export type ProblemType = keyof typeof PROBLEMS

/** One thing that is wrong with a request: where, a stable code, and a sentence that says the way out. */
export interface FieldError {
  /** A path such as `items[0].quantity`, a query parameter, a header; empty for the body as a whole. */
  field: string
  code: string
  message: string
}

/** Refuses a request on purpose. Any other error thrown is a bug: its text stays in the log. */
export class Problem extends Error {
  override name = 'Problem'
  readonly type: ProblemType
  /** Members of the document beside the standard ones, e.g. `code`, `valid_targets`, `retry_after_sec`. */
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(type: ProblemType, detail: string, members: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
    super(detail)
    this.type = type
    this.members = members
    this.headers = headers
  }

  get status(): number {
    return PROBLEMS[this.type].status
  }
}

/** A 422 with the first ERRORS_MAX of these errors. */
export function invalid(found: FieldError | FieldError[]): Problem {
  const errors = [found].flat().slice(0, ERRORS_MAX)
  const [first] = errors as [FieldError]
  const more = errors.length > 1 ? ` And ${errors.length - 1} more: see errors.` : ''
  return new Problem('validation-failed', `${first.field ? `${first.field}: ` : ''}${first.message}${more}`, { code: first.code, errors })
}

/** The path of an error's field, from the outside in. A number is an index of a list, `[""]` a member without a name. A path longer than any of the interface is cut. */
export function fieldOf(steps: (string | number)[]): string {
  const path = steps.reduce<string>((at, step) => {
    if (step === '') return `${at}[""]`
    if (typeof step === 'number') return `${at}[${step}]`
    return at ? `${at}.${step}` : step
  }, '')
  if (path.length <= FIELD_CHARS) return path
  // A character is one or two units of a string.
  const beginning = [...path.slice(0, 2 * FIELD_CHARS + 2)]
  return beginning.length <= FIELD_CHARS ? path : `${beginning.slice(0, FIELD_CHARS).join('')}…`
}

/** The result of `decide`, or the Problem it throws: where many are decided, a refusal is a value. */
export function attempt<T>(decide: () => T): T | Problem {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The same of work that waits. */
export const orProblem = <T>(work: Promise<T>): Promise<T | Problem> =>
  work.catch(error => {
    if (error instanceof Problem) return error
    throw error
  })

/** @param named how one is named, where that is easily mistaken */
export const notFound = (what: string, named?: string): Problem =>
  new Problem('resource-not-found', `There is no such ${what}${named === undefined ? '' : `; ${named}`}.`)

/** @param methods those that the path takes */
export const notAllowed = (method: string, methods: string[]): Problem => {
  const Allow = methods.join(', ')
  return new Problem('method-not-allowed', `${method} is not allowed here; allowed are ${Allow}.`, {}, { Allow })
}

/** The document, as sent. `instance` is the request's path. */
export function problemDocument(problem: Problem, docsUrl: string, instance: string, traceId: string): Record<string, unknown> {
  return {
    type: `${docsUrl}/errors/${problem.type}`,
    title: PROBLEMS[problem.type].title,
    status: problem.status,
    detail: problem.message,
    instance,
    ...problem.members,
    trace_id: traceId,
  }
}
