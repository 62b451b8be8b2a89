// Lists: the parameters every list takes, the envelope, and the deprecated `offset`.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Config } from '../config.ts'
import { LIST_GLANCE, LIST_SCAN_MAX, PAGE_DEFAULT, PAGE_MAX } from '../limits/lists.ts'
import type { Page, PageRequest } from '../postgres/page.ts'
import type { Queryable } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { choice, nullable } from '../schemas.ts'
import { decodeCursor, encodeCursor, type Sorted } from './cursor.ts'
import { fields, type Project } from './fields.ts'
import { TOO_MANY_LONG_READS } from './problem-schemas.ts'
import { type Listed, type ReadContext, type ReadRoute, type Route, type RouteInput, read } from './route.ts'

export interface Listing extends Sorted {
  path: string
  defaultLimit?: number
  /** Whether the deprecated `offset` is served. */
  offers: { offset: boolean }
}

/** Sent byte for byte as clients were promised it, with its wrong weekday. */
const SUNSET_HEADERS = {
  Deprecation: 'true',
  Sunset: 'Sat, 31 Jul 2026 23:59:59 GMT',
  Warning: '299 - "Offset pagination is deprecated; migrate to cursor pagination before the Sunset date."',
}
const successorLink = (docsUrl: string): string => `<${docsUrl}/api/pagination#cursor>; rel="successor-version"`

const OFFSET_MAX = 1_000_000

const time = (description: string) => Type.String({ format: 'date-time', description })

/** The query of a list: the parameters of all lists, and this noun's own filters. */
export function listQuery<P extends TProperties>(listing: Listing, filters: P) {
  const limit = listing.defaultLimit ?? PAGE_DEFAULT
  return Type.Object({
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'The next_cursor of the page before. Opaque.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAGE_MAX,
        default: limit,
        description: `The most items of a page; ${limit} unless given. A page that reaches 1 MB ends with that item.`,
      }),
    ),
    fields,
    sort: Type.Optional(
      choice(Object.keys(listing.sorts), {
        default: Object.keys(listing.sorts)[0] as string,
        description: 'What to sort by; the id breaks ties.',
      }),
    ),
    dir: Type.Optional(choice(['asc', 'desc'], { default: 'desc' })),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OFFSET_MAX,
        deprecated: true,
        description: 'Deprecated: use cursor.',
        // Known even where it is not offered, so that it is refused rather than ignored.
        ...(!listing.offers.offset && { 'x-refused': true }),
      }),
    ),
    created_after: Type.Optional(time('Created later than this.')),
    created_before: Type.Optional(time('Created earlier than this.')),
    updated_after: Type.Optional(time('Updated later than this.')),
    updated_before: Type.Optional(time('Updated earlier than this.')),
    ...filters,
  })
}
type CommonQuery = Static<ReturnType<typeof listQuery<Record<never, TSchema>>>>

/** The envelope of a list of `item`. */
export const listOf = (item: TSchema): TObject =>
  Type.Object({
    object: Type.Literal('list'),
    url: Type.String({ description: 'The path of the request.' }),
    data: Type.Array(item),
    next_cursor: Type.Optional(
      nullable(Type.String(), { description: 'For the next page; null on the last. Absent from answers to offset.' }),
    ),
    has_more: Type.Boolean({ description: 'Whether there is a next page. A page may hold few items, even none, while there is.' }),
  })

/**
 * The page that a query requests, with its cursor decoded.
 * @throws {Problem} 422 for a text that is no cursor of this list, and for offset where it is not offered
 */
export function pageRequest(listing: Listing, query: CommonQuery, config: Config): PageRequest {
  const limit = query.limit ?? listing.defaultLimit ?? PAGE_DEFAULT
  const sort = query.sort ?? (Object.keys(listing.sorts)[0] as string)
  const dir = (query.dir ?? 'desc') as 'asc' | 'desc'
  if (query.offset !== undefined) return { sort, dir, limit, offset: acceptOffset(listing, query, config) }
  if (query.cursor === undefined) return { sort, dir, limit }
  const cursor = decodeCursor(listing, query.cursor)
  for (const [field, given, kept] of [
    ['sort', query.sort, cursor.sort],
    ['dir', query.dir, cursor.dir],
  ] as const) {
    if (given !== undefined && given !== kept)
      throw invalid({
        field,
        code: 'cursor_mismatch',
        message: `is ${given}, but the cursor goes on with ${kept}; leave it out, or start again without the cursor.`,
      })
  }
  return { sort: cursor.sort, dir: cursor.dir, limit, after: { last: cursor.last, id: cursor.id } }
}

function acceptOffset(listing: Listing, query: CommonQuery, config: Config): number {
  if (!listing.offers.offset) refuseOffset(query)
  if (query.cursor !== undefined)
    throw invalid({ field: 'offset', code: 'cursor_conflict', message: 'cannot be combined with cursor; use cursor alone.' })
  if (config.offsetSunsetEnforced) {
    const problem = invalid({
      field: 'offset',
      code: 'parameter_sunset',
      message: 'is no longer served since 2026-07-31; page with cursor.',
    })
    problem.headers['Link'] = successorLink(config.docsUrl)
    throw problem
  }
  return query.offset as number
}

/** @throws {Problem} 422: a client that pages by offset would see the first page for ever */
export function refuseOffset({ offset }: { offset?: unknown }): void {
  if (offset !== undefined)
    throw invalid({ field: 'offset', code: 'not_offered', message: 'is not offered on this list; page with cursor.' })
}

interface ListRoute<Q extends TObject> extends Omit<ReadRoute<Q>, 'kind' | 'method' | 'scope' | 'path' | 'response' | 'handler'> {
  item: TSchema
  page: (input: RouteInput<Static<Q>> & { sql: Queryable }, page: PageRequest) => Promise<Page>
}

/** A page found among few rows; where these do not fill it, a long read looks at as many as a page may. */
export async function glanced<P extends { short: boolean }>(
  { sql, apart }: ReadContext,
  page: (sql: Queryable, scan: number) => Promise<P>,
): Promise<P> {
  const seen = await page(sql, LIST_GLANCE)
  return seen.short ? apart(sql => page(sql, LIST_SCAN_MAX)) : seen
}

/** The route of a list, whose query comes from `listQuery`. */
export function listRoute<Q extends TObject>(config: Config, listing: Listing, { item, page, ...route }: ListRoute<Q>): Route {
  return read<Q>({
    ...route,
    path: listing.path,
    response: listOf(item),
    conflicts: [TOO_MANY_LONG_READS],
    handler: async input => {
      const request = pageRequest(listing, input.query as CommonQuery, config)
      const pageOn = (sql: Queryable, scan: number) => page({ ...input, sql }, { ...request, scan })
      // All rows before an offset are read, however many.
      const isLong = request.offset !== undefined
      const found = await (isLong ? input.apart(sql => pageOn(sql, LIST_SCAN_MAX)) : glanced(input, pageOn))
      return listed(found, input.url, request, input.project, config.docsUrl)
    },
  })
}

// The items go out as the database joined them.
function listed(page: Page, url: string, request: PageRequest, project: Project | undefined, docsUrl: string): Listed {
  if (request.offset === undefined)
    return { pieces: envelope(url, page.data, page.next ? encodeCursor(request, page.next) : null, project) }
  const headers = { ...SUNSET_HEADERS, Link: successorLink(docsUrl) }
  return { pieces: wrapped(url, page.data, `"has_more":${page.next !== undefined}`, project), headers }
}

/**
 * @param data items joined by commas
 * @param more further members of this list
 * @returns the text in pieces: a page is too large to copy
 */
export function envelope(url: string, data: Buffer, next: string | null, project: Project | undefined, more: object = {}): Buffer[] {
  const rest = JSON.stringify({ next_cursor: next, has_more: next !== null, ...more })
  return wrapped(url, data, rest.slice(1, -1), project)
}

function wrapped(url: string, data: Buffer, rest: string, project: Project | undefined): Buffer[] {
  const items = project ? projected(data, project) : data
  return [Buffer.from(`{"object":"list","url":${JSON.stringify(url)},"data":[`), items, Buffer.from(`],${rest}}`)]
}

function projected(data: Buffer, project: Project): Buffer {
  const items = JSON.parse(`[${data.toString()}]`) as unknown[]
  return Buffer.from(JSON.stringify(items.map(project)).slice(1, -1))
}
