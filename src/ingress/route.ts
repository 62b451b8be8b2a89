// The declaration of a route. The server enforces it and the OpenAPI document repeats it: each schema is written once.
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../caller.ts'
import type { Prefix } from '../ids.ts'
import type { Queryable, Sql, Tx } from '../postgres/sql.ts'
import type { Problem } from '../problems.ts'
import type { Project } from './fields.ts'
import type { Conflict } from './problem-schemas.ts'
import type { Span } from './ranges.ts'

/** Members of an answer that are no part of the resource. */
export type Once = Record<string, string | string[]>

/** An answer, whose body is JSON text: stored text goes out as it is. */
export interface Answer {
  body: string | Buffer
  /** 200 unless said otherwise. */
  status?: number
  /** The path of the created resource. */
  location?: string
  headers?: Record<string, string>
  /** Where it is known; else it is a hash of the body. */
  etag?: string
  /** Further members, shown once: no repeat of the request shows them, and the ETag is that of `body` alone, as in a later GET. */
  shownOnce?: Once
}

/** The JSON text of an object with these members added. */
export const withMembers = (json: string | Buffer, members: Once): string =>
  `${json.toString().slice(0, -1)},${JSON.stringify(members).slice(1)}`

/** A file, which may be too large for memory: sent as it is read. */
export interface Streamed {
  type: string
  /** Absent for a file that is made while it is sent. */
  etag?: string
  headers: Record<string, string>
  /** Where a part can be sent by itself: the bytes of the whole file. It has an `etag` then. */
  size?: number
  /** @param part of a file with a `size`; undefined: the whole */
  open(part?: Span): Readable
  /** Called instead of `open` for a HEAD, and where the caller has the current representation: releases the file. */
  drop?(): void
}

/** A page of a list: JSON text in pieces, which are never joined. */
export interface Listed {
  pieces: Buffer[]
  headers?: Record<string, string>
}

interface RouteBase {
  /** As OpenAPI writes it: /api/v1/orders/{id} */
  path: string
  operationId: string
  tag: string
  summary: string
  description?: string
  /** The path's `id` has this form; anything else names nothing (404). */
  idPrefix?: string
  /** What the id names, for the 404. */
  noun?: string
  /** In place of an `id`, the path's first parameter: its name, its form, and what it names. It is handed on as the id. */
  names?: { name: string; pattern: string; noun: string; named?: string }
  /** A second id in the path, of a part of the first: the name of its parameter, its form, and what it names. */
  inner?: { name: string; idPrefix: Prefix; noun: string }
  /** Its query, or its body, names a thing that has to be there: else 404. */
  looksFor?: true
  /** Open to callers without a key. */
  public?: boolean
}

export interface RouteInput<Q> {
  caller: Caller
  id: string
  innerId: string
  query: Q
  /** Present where the caller asked for `fields`. */
  project: Project | undefined
  /** The requested path, without the query. */
  url: string
  /** The address of the caller's subscriber, where the read is public: callers without a key are told apart by it. */
  guest?: string
  /** The parameters `filter[…]` of a read with `filters`, by their whole names. */
  filters?: Record<string, string>
}

/** The connections of a read. */
export interface ReadContext {
  /** For statements that look at few rows: shared by all reads. */
  sql: Queryable
  /**
   * For statements that may look at many: `work` gets one of a few connections when its tenant's turn comes.
   * @throws {Problem} 409 where too many long reads of the tenant wait, 503 where too many of all tenants do
   */
  apart: <T>(work: (sql: Queryable) => Promise<T>) => Promise<T>
}

export interface ReadRoute<Q extends TObject = TObject> extends RouteBase {
  kind: 'read'
  method: 'GET'
  scope: 'read'
  query: Q
  response: TSchema
  /** Answers with a file of one of these media types, whose rows have the schema `response`. Never begun before the caller is admitted. */
  file?: string[]
  /** Takes parameters `filter[…]`, whose names are not known here: what they do, for the reference. */
  filters?: { description: string; example: Record<string, string> }
  /** A stream of events that goes on after the one named in Last-Event-ID. */
  resumes?: boolean
  /** Parts of the file can be asked for. */
  ranged?: boolean
  /** Answers compressed where the caller accepts that. */
  encoded?: boolean
  /** The causes of a 409. */
  conflicts?: Conflict[]
  handler: (
    input: RouteInput<Static<Q>> & ReadContext & { acceptEncoding?: string; lastEventId?: string },
  ) => Promise<Answer | Listed | Streamed>
}

interface WriteBase extends RouteBase {
  method: 'POST' | 'PATCH' | 'DELETE'
  scope: 'write'
  status: 200 | 201 | 202
  response: TSchema
  /** The schema of a dry run's answer, which is 200 and changes nothing. */
  dryRun?: TSchema
  /** The schemas of a bulk answer: 207 where some items were refused, 422 where all were. */
  bulk?: { some: TSchema; none: TSchema }
  /** A `shownOnce` member of its answer is a secret: no cache may keep it. */
  showsSecret?: boolean
  /** Honours If-Match and If-Unmodified-Since through `input.unchanged`. */
  conditional?: boolean
  /** The causes of a 409, besides its Idempotency-Key. */
  conflicts?: Conflict[]
}

interface JsonWriteBase<B extends TSchema> extends WriteBase {
  body?: B
  /** No body at all is the same as `{}`. */
  bodyOptional?: boolean
  /** Validates the body in place of the schema `body`, which then only describes it. @throws {Problem} */
  readBody?: (value: unknown) => Static<B>
  /** The most bytes of its body, where that is more than for others. */
  bodyBytes?: number
  /** The most values in its body, likewise. */
  bodyValues?: number
  example?: unknown
}

/** A write in a transaction of the request's own. */
export interface SingleWrite<B extends TSchema = TSchema> extends JsonWriteBase<B> {
  kind: 'single-write'
  /** It waits for others of its workspace, as what has a quota does, or counts much: it has its turn then (see WRITES_IN_TURNS_AT_ONCE). */
  inTurns?: true
  handler: (input: WriteInput<B> & { tx: Tx }) => Promise<Answer>
}

/** A write in one transaction with other requests that came at the same time (see write-transaction.ts). A refusal is a value. */
export interface SharedWrite<B extends TSchema = TSchema> extends JsonWriteBase<B> {
  kind: 'shared-write'
  handleAll: (tx: Tx, input: WriteInput<B>[]) => Promise<(Answer | Problem)[]>
}

/**
 * Something done for the caller that changes nothing here: tried out, computed, or asked of an app's service. It may take long and leave the network, so
 * it has no transaction. A repeat under its Idempotency-Key gets the first answer, as that of a write does.
 */
export interface Action<B extends TSchema = TSchema> extends JsonWriteBase<B> {
  kind: 'action'
  method: 'POST'
  /** `leaving`: the caller has left, and nothing will be told of the answer. */
  handler: (input: WriteInput<B> & { sql: Sql; leaving: AbortSignal }) => Promise<Answer>
}

/** A write whose body is a file, received piece by piece and stored in transactions of the route's own. */
export interface Upload<Q extends TObject = TObject> extends WriteBase {
  kind: 'upload'
  method: 'POST'
  /** The media types it may have, or any. */
  types: readonly string[] | typeof ANY_TYPE
  maxBytes: number
  query: Q
  /** A small file of each type. */
  examples: Record<string, string>
  take: (input: RouteInput<Static<Q>> & UploadInput) => Promise<Answer>
}

/** A file of any type: what it is, its content tells. */
export const ANY_TYPE = '*/*'

export interface FileType {
  /** One of the route's media types; where any is taken, what the sender calls it, empty where they do not say. */
  type: string
  /** In lower case; undefined where none is given. */
  charset: string | undefined
}

export interface UploadInput extends FileType {
  sql: Sql
  bytes: AsyncIterable<Buffer>
  /** Records the answer for a repeat of the request, in the transaction that completes the upload. */
  remember: (tx: Tx, answer: Answer) => Promise<void>
}

export type WriteInput<B extends TSchema = TSchema> = RouteInput<Record<string, never>> & {
  body: Static<B>
  unchanged: Precondition
  /** Logs an error that was not thrown on purpose. @returns the problem to tell the caller */
  unexpected: (error: unknown) => Problem
}

/**
 * Refuses (412) unless the current representation fulfils the caller's If-Match or If-Unmodified-Since.
 * To be called with the row locked.
 */
export type Precondition = (current: { body: string | Buffer; updatedAt: Date }) => void

export type JsonWrite = SingleWrite | SharedWrite | Action
export type WriteRoute = JsonWrite | Upload
export type Route = ReadRoute | WriteRoute

// Declared through these, a route's handler is typed by its schemas.
export const read = <Q extends TObject>(route: Omit<ReadRoute<Q>, 'kind' | 'method' | 'scope'>): Route =>
  ({ kind: 'read', method: 'GET', scope: 'read', ...route }) as unknown as Route
export const write = <B extends TSchema>(route: Omit<SingleWrite<B>, 'kind' | 'scope'>): Route =>
  ({ kind: 'single-write', scope: 'write', ...route }) as unknown as Route
export const sharedWrite = <B extends TSchema>(route: Omit<SharedWrite<B>, 'kind' | 'scope'>): Route =>
  ({ kind: 'shared-write', scope: 'write', ...route }) as unknown as Route
export const action = <B extends TSchema>(route: Omit<Action<B>, 'kind' | 'method' | 'scope'>): Route =>
  ({ kind: 'action', method: 'POST', scope: 'write', ...route }) as unknown as Route
export const upload = <Q extends TObject>(route: Omit<Upload<Q>, 'kind' | 'method' | 'scope'>): Route =>
  ({ kind: 'upload', method: 'POST', scope: 'write', ...route }) as unknown as Route
