import type { Client } from 'openapi-fetch'
import type { FieldError, paths } from './schema.js'

export type * from './schema.js'

/** Calls by method and path: `client.GET('/api/v1/orders', { params: { query: { status: ['pending'] } } })`. Answers are `{ data, error, response }`. */
export type Shopdesk = Client<paths>

/**
 * A client with a key. What is refused with a 429 is repeated after the time the service names; so is, for a GET or with an
 * Idempotency-Key, a 503 and a connection that broke.
 */
export function shopdesk(options: {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: string
  fetch?: typeof globalThis.fetch
  /** 5 unless given; 1 repeats nothing. */
  attempts?: number
}): Shopdesk

type Get<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never
type Page<P extends keyof paths> = Get<P> extends { responses: { 200: { content: { 'application/json': infer L } } } } ? L : never
/** The paths of lists. */
export type ListPath = { [P in keyof paths]: Page<P> extends { data: unknown[]; has_more: boolean } ? P : never }[keyof paths]
export type ItemOf<P extends ListPath> = Page<P> extends { data: (infer I)[] } ? I : never
type Parameters<P extends keyof paths> = Get<P> extends { parameters: infer A } ? A : never
type QueryOf<P extends keyof paths> = Parameters<P> extends { query?: infer Q } ? Omit<NonNullable<Q>, 'cursor' | 'offset'> : never

/** Every item of a list, page by page. @throws {ProblemError} */
export function everyItem<P extends ListPath>(
  client: Shopdesk,
  path: P,
  options?: { query?: QueryOf<P>; params?: Pick<Parameters<P>, keyof Parameters<P> & 'path'>; signal?: AbortSignal },
): AsyncGenerator<ItemOf<P>, void>

/**
 * What was answered, where it was a 2xx; also when it is the answer to an earlier request with the same Idempotency-Key.
 * @throws {ProblemError} otherwise
 */
export function taken<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<NonNullable<T>>

/** Any problem document; each type’s own members are in the types of schema.d.ts. */
export interface Problem {
  type?: string
  title: string
  status: number
  detail?: string
  code?: string
  errors?: FieldError[]
  trace_id?: string
  [member: string]: unknown
}

export class ProblemError extends Error {
  constructor(problem: Problem)
  problem: Problem
}
