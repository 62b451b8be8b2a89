// What a route says of itself. The server enforces it and the OpenAPI document repeats it: each schema is written once.
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../caller.ts'
import type { Prefix } from '../ids.ts'
import type { Queryable, Sql, Tx } from '../postgres/sql.ts'
import type { Problem } from '../problems.ts'
import type { Project } from './fields.ts'
import type { Conflict } from './problem-schemas.ts'

/** Members of an answer that are no part of the resource. */
export type Once = Record<string, string | string[]>

/** An answer's body is JSON text: what the store keeps is handed on as it is. */
export interface Answer {
  body: string | Buffer
  /** 200 unless said otherwise. */
  status?: number
  /** The path of what was made. */
  location?: string
  headers?: Record<string, string>
  /** Where it is known: else the body is hashed for it. */
  etag?: string
  /** Further members, which are shown once: no repeat of the request shows them, and the ETag is of `body` alone, as GET will have it. */
  shownOnce?: Once
}

/** The JSON text of an object with these members as well. */
export const withMembers = (json: string | Buffer, members: Once): string =>
  `${json.toString().slice(0, -1)},${JSON.stringify(members).slice(1)}`

/** A file, which may be too large to be held: sent as it is read. */
export interface Streamed {
  type: string
  /** What is made while it is sent has none. */
  etag?: string
  headers: Record<string, string>
  open(): Readable
  /** Called instead, for a HEAD and where the caller has the current representation: lets go of what is held for it. */
  drop?(): void
}

/** A page of a list: JSON text in pieces, which are never joined. */
export interface Listed {
  pieces: Buffer[]
  headers?: Record<string, string>
}

interface Described {
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
  /** A second id of the path, of what belongs to the first: its parameter's name, its form, and what it names. */
  inner?: { name: string; idPrefix: Prefix; noun: string }
  /** Open to callers without a key. */
  public?: boolean
}

export interface Asked<Q> {
  caller: Caller
  id: string
  innerId: string
  query: Q
  /** Present where the caller asked for `fields`. */
  project: Project | undefined
  /** The path asked for, without the query. */
  url: string
}

/** What a read asks the database with. */
export interface Reading {
  /** For what looks at few rows: shared by all reads. */
  sql: Queryable
  /**
   * For what may look at many: `work` has a connection of a few, by its tenant's turn.
   * @throws {Problem} 409 where as many of the tenant wait for theirs as may, 503 where as many of all tenants do
   */
  apart: <T>(work: (sql: Queryable) => Promise<T>) => Promise<T>
}

export interface ReadRoute<Q extends TObject = TObject> extends Described {
  kind: 'read'
  method: 'GET'
  scope: 'read'
  query: Q
  response: TSchema
  /** It answers with a file, of one of these media types: a row of it is what `response` says. Never begun before the caller is admitted. */
  file?: string[]
  /** It answers compressed where the caller takes it so. */
  encoded?: boolean
  /** What may refuse it with a 409. */
  conflicts?: Conflict[]
  handler: (asked: Asked<Static<Q>> & Reading & { acceptEncoding?: string }) => Promise<Answer | Listed | Streamed>
}

interface Writing extends Described {
  method: 'POST' | 'PATCH' | 'DELETE'
  scope: 'write'
  status: 200 | 201 | 202
  response: TSchema
  /** Of a dry run, which answers 200 and changes nothing. */
  dryRun?: TSchema
  /** Of a batch: 207 where some items were refused, 422 where all were. */
  bulk?: { some: TSchema; none: TSchema }
  /** A member of its answer that is `shownOnce` is a secret: no cache may keep it. */
  showsSecret?: boolean
  /** Honours If-Match and If-Unmodified-Since through `asked.unchanged`. */
  conditional?: boolean
  /** What may refuse it with a 409, besides its Idempotency-Key. */
  conflicts?: Conflict[]
}

interface JsonWriting<B extends TSchema> extends Writing {
  body?: B
  /** No body at all is the same as `{}`. */
  bodyOptional?: boolean
  /** Reads the body in place of `body`, which then describes it alone. @throws {Problem} */
  readBody?: (value: unknown) => Static<B>
  /** What it may have, where that is more than others may. */
  bodyBytes?: number
  /** Values it may hold, likewise. */
  bodyValues?: number
  example?: unknown
}

/** A write in a transaction of the request's own. */
export interface SingleWrite<B extends TSchema = TSchema> extends JsonWriting<B> {
  kind: 'single-write'
  handler: (asked: AskedToWrite<B> & { tx: Tx }) => Promise<Answer>
}

/** A write in one transaction for all requests that came together (see write-transaction.ts). A refusal is a value. */
export interface SharedWrite<B extends TSchema = TSchema> extends JsonWriting<B> {
  kind: 'shared-write'
  handleAll: (tx: Tx, asked: AskedToWrite<B>[]) => Promise<(Answer | Problem)[]>
}

/** The body is a file, taken in as it comes and in transactions of the route's own. */
export interface Upload<Q extends TObject = TObject> extends Writing {
  kind: 'upload'
  method: 'POST'
  /** The media types it may have. */
  types: readonly string[]
  maxBytes: number
  query: Q
  /** A small file of each type. */
  examples: Record<string, string>
  take: (asked: Asked<Static<Q>> & Incoming) => Promise<Answer>
}

export interface FileType {
  /** One of the route's media types. */
  type: string
  /** In lower case; undefined where none is given. */
  charset: string | undefined
}

export interface Incoming extends FileType {
  sql: Sql
  bytes: AsyncIterable<Buffer>
  /** Keeps the answer for a repeat of the request, in the transaction that makes the file count. */
  remember: (tx: Tx, answer: Answer) => Promise<void>
}

export type AskedToWrite<B extends TSchema = TSchema> = Asked<Record<string, never>> & {
  body: Static<B>
  unchanged: Precondition
  /** Logs what was not thrown on purpose, and says what the caller is told of it. */
  unexpected: (error: unknown) => Problem
}

/**
 * Refuses (412) unless the current representation is the one the caller's If-Match or If-Unmodified-Since speaks of.
 * To be called with the row locked.
 */
export type Precondition = (current: { body: string | Buffer; updatedAt: Date }) => void

export type JsonWrite = SingleWrite | SharedWrite
export type WriteRoute = JsonWrite | Upload
export type Route = ReadRoute | WriteRoute

// Declared through these, a route's handler is typed by its schemas.
export const read = <Q extends TObject>(route: Omit<ReadRoute<Q>, 'kind' | 'method' | 'scope'>): Route =>
  ({ kind: 'read', method: 'GET', scope: 'read', ...route }) as unknown as Route
export const write = <B extends TSchema>(route: Omit<SingleWrite<B>, 'kind' | 'scope'>): Route =>
  ({ kind: 'single-write', scope: 'write', ...route }) as unknown as Route
export const sharedWrite = <B extends TSchema>(route: Omit<SharedWrite<B>, 'kind' | 'scope'>): Route =>
  ({ kind: 'shared-write', scope: 'write', ...route }) as unknown as Route
export const upload = <Q extends TObject>(route: Omit<Upload<Q>, 'kind' | 'method' | 'scope'>): Route =>
  ({ kind: 'upload', method: 'POST', scope: 'write', ...route }) as unknown as Route
