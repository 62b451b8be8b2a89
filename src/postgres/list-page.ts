// A page of a list in bounded work, whatever it is filtered and sorted by. Rows are walked in the order of the sort, by its index, and checked
// against the filters. If `scan` rows do not fill the page and the index of a filter finds no more rows than that, those rows are sorted
// instead; else the page ends short and its cursor goes on from there.
import { LIST_SCAN_MAX } from '../limits/lists.ts'
import { after, all, keysetPage, order, type Page, type PageRequest, type Sort, type Stop, type TimeFilters, travelling } from './page.ts'
import { type Fragment, part, type Queryable } from './sql.ts'

export interface List {
  /** The table, as `orders t`. */
  from: Fragment
  /** A join that the JSON and the filters need: at most one row for each row of the table. */
  join?: Fragment
  /** The row's JSON text. */
  json: Fragment
  /** The condition on the tenant: every index of the list begins with it. */
  scope: Fragment
  sorts: Record<string, Sort>
}

/** A condition on `t`, and what an index makes of it. */
export type Filter = Unique | Range | Equality | Values | Indexed | Residual

interface Condition {
  where: Fragment
}

/** An index finds at most one row. */
interface Unique extends Condition {
  kind: 'unique'
}

/** Bounds of a sort's column. */
interface Range extends Condition {
  kind: 'range'
  sort: string
  bounds: Bounds
}

export interface Bounds {
  from?: Fragment | undefined
  to?: Fragment | undefined
}

/** An index finds the rows of this value, in the order of this sort. */
interface Equality extends Condition, Selectivity {
  kind: 'equality'
  sort: string
}

/**
 * An index finds the rows of each of several values, which are few. Where it has them in the order of the requested sort, the pages of all
 * values are merged.
 */
interface Values extends Condition, Selectivity {
  kind: 'values'
  /** The order in which an index has the rows of a value; absent where that is the order of no sort. */
  sort?: string
  /** The values, as rows of `a`: each once, where there is a sort. */
  values: Fragment
  /** Conditions on `t`, and on `a` where they need one; no row fulfils two of them. */
  each: Fragment[]
}

/** An index finds these rows, in this order, which is that of no sort. */
interface Indexed extends Condition {
  kind: 'indexed'
  order: Fragment
}

/** Checked against rows that another condition finds. */
interface Residual extends Condition {
  kind: 'residual'
}

interface Selectivity {
  /** The rows are nearly always few: their index is read before any walk. */
  selective?: true
}

/**
 * The requested page. It may hold fewer rows than requested although more follow: `next` then goes on after the last row looked at.
 * @param filters those with the fewest rows first
 */
export async function listPage(sql: Queryable, list: List, filters: Filter[], request: PageRequest): Promise<Page> {
  const isUnique = filters.some(({ kind }) => kind === 'unique')
  // An offset counts rows of the answer, so all of them must be found: deprecated, and as slow as it always was (see LONG_READS_AT_ONCE).
  if (isUnique || request.offset !== undefined)
    return pageOf(sql, list, list.from, [list.scope, ...filters.map(({ where }) => where)], request)
  const { ranges, behind } = rangesOf(filters, request)
  const others = [...filters.filter(each => !(each.kind === 'range' && each.sort === request.sort)), ...behind]
  const [only] = others
  if (others.length === 1 && only?.kind === 'values' && only.sort === request.sort) return merged(sql, list, only, ranges, request)
  const equality = others.find(each => each.kind === 'equality' && each.sort === request.sort)
  const walked = [list.scope, ...(equality ? [equality.where] : []), ...ranges]
  const unwalked = others.filter(each => each !== equality)
  if (unwalked.length === 0) return pageOf(sql, list, list.from, walked, request)
  const likely = await sortedInstead(sql, list, unwalked.filter(isSelective), filters, request)
  if (likely) return likely
  const page = await walk(sql, list, walked, unwalked, request)
  if (!page.short) return page
  const rest = unwalked.filter(each => !isSelective(each))
  return (await sortedInstead(sql, list, rest, filters, request)) ?? page
}

const isSelective = (filter: Filter): boolean => 'selective' in filter && filter.selective === true

export const timeFilters = (f: TimeFilters): Filter[] => [
  ...range('created_at', between(part`t.created_at`, f.created_after, f.created_before)),
  ...range('updated_at', between(part`t.updated_at`, f.updated_after, f.updated_before)),
]

const between = (column: Fragment, after: string | undefined, before: string | undefined): Bounds => ({
  from: after === undefined ? undefined : part`${column} > ${after}::text::timestamptz`,
  to: before === undefined ? undefined : part`${column} < ${before}::text::timestamptz`,
})

/** One filter of the bounds of a sort's column, where there are any. */
export function range(sort: string, bounds: Bounds): Filter[] {
  const given = [bounds.from, bounds.to].filter(each => each !== undefined)
  return given.length > 0 ? [{ kind: 'range', where: all(given), sort, bounds }] : []
}

// A cursor lies beyond the bound at which the walk began. An index scan begins at one of the two only, and if that were the bound, each page
// would walk all pages before it. So rows are checked against that bound instead.
function rangesOf(filters: Filter[], { sort, dir, after }: PageRequest): { ranges: Fragment[]; behind: Residual[] } {
  const near = dir === 'asc' ? 'from' : 'to'
  const all = filters.flatMap(each => (each.kind === 'range' && each.sort === sort ? Object.entries(each.bounds) : []))
  const isBehind = (side: string): boolean => after !== undefined && side === near
  return {
    ranges: all.flatMap(([side, where]) => (where && !isBehind(side) ? [where] : [])),
    behind: all.flatMap(([side, where]) => (where && isBehind(side) ? [{ kind: 'residual', where }] : [])),
  }
}

const pageOf = (sql: Queryable, list: List, rows: Fragment, where: Fragment[], request: PageRequest, stop?: Stop): Promise<Page> =>
  keysetPage(sql, part`${rows} ${list.join ?? part``}`, list.json, where, list.sorts, request, stop)

const scanOf = ({ scan = LIST_SCAN_MAX }: PageRequest): number => scan

// The inner limit bounds the work, and keeps the filters from tempting the planner away from the sort's index.
function walk(sql: Queryable, list: List, walked: Fragment[], unwalked: Filter[], request: PageRequest): Promise<Page> {
  const sort = list.sorts[request.sort] as Sort
  const conditions = [...walked, ...after(sort, request)]
  const rows = part`(
    select t.* from ${list.from} where ${all(conditions)} order by ${order(sort, request.dir)} limit ${scanOf(request)}) t`
  const stop: Stop = short => part`
    select ${travelling(sort)} as stop_sort, t.id as stop_id
      from ${list.from}
     where ${all([...conditions, short])}
     order by ${order(sort, request.dir)}
     limit 1 offset ${scanOf(request) - 1}`
  return pageOf(
    sql,
    list,
    rows,
    unwalked.map(({ where }) => where),
    request,
    stop,
  )
}

function merged(sql: Queryable, list: List, values: Values, ranges: Fragment[], request: PageRequest): Promise<Page> {
  const sort = list.sorts[request.sort] as Sort
  const conditions = [...ranges, ...after(sort, request)]
  const rows = ofEach(
    values,
    condition => part`
      select t.* from ${list.from}
       where ${all([list.scope, condition, ...conditions])}
       order by ${order(sort, request.dir)}
       limit ${request.limit + 1}`,
  )
  return pageOf(sql, list, rows, [part`true`], request)
}

// Undefined unless an index finds the rows of one of the candidates, and these are few.
async function sortedInstead(
  sql: Queryable,
  list: List,
  candidates: Filter[],
  filters: Filter[],
  request: PageRequest,
): Promise<Page | undefined> {
  const rare = await firstRare(sql, list, candidates, scanOf(request))
  return rare && sorted(sql, list, rare, filters, request)
}

/** A filter whose rows an index finds. */
type ByIndex = Exclude<Filter, Unique | Residual>

// A filter has too many rows where there is one more than may be looked at.
async function firstRare(sql: Queryable, list: List, candidates: Filter[], scan: number): Promise<ByIndex | undefined> {
  const found = candidates.filter(each => isByIndex(list, each))
  if (found.length === 0) return undefined
  const many = found.map(
    (filter, index) => part`${index === 0 ? part`` : part`, `}${isMany(list, filter, scan)} as ${part(`many_${index}` as never)}`,
  )
  const [row] = await sql<Record<string, boolean>[]>`select ${many}`
  return found.find((_, index) => row?.[`many_${index}`] === false)
}

// Bounds of a column that the list cannot be sorted by have no index.
const isByIndex = (list: List, filter: Filter): filter is ByIndex =>
  filter.kind === 'range' ? filter.sort in list.sorts : filter.kind !== 'unique' && filter.kind !== 'residual'

function isMany(list: List, filter: ByIndex, scan: number): Fragment {
  const rows = part`exists (select from ${byIndex(list, filter)} offset ${scan})`
  // Many values take long to look up even where none of them has a row.
  return filter.kind === 'values' ? part`(exists (select from ${filter.values} offset ${scan}) or ${rows})` : rows
}

const sorted = (sql: Queryable, list: List, rare: ByIndex, filters: Filter[], request: PageRequest): Promise<Page> =>
  pageOf(
    sql,
    list,
    part`(select t.* from ${byIndex(list, rare.kind === 'values' ? once(rare) : rare)} offset 0) t`,
    [part`true`, ...filters.filter(each => each !== rare).map(({ where }) => where)],
    request,
  )

function byIndex(list: List, filter: ByIndex): Fragment {
  if (filter.kind === 'values')
    return ofEach(filter, condition => part`select t.* from ${list.from} where ${all([list.scope, condition])} offset 0`)
  const order = orderOf(list, filter)
  return part`${list.from} where ${all([list.scope, filter.where])} ${order ? part`order by ${order}` : part``}`
}

// A generic plan takes bounds for unselective. The order makes it use their index, the only one that has this order.
function orderOf(list: List, filter: Range | Equality | Indexed): Fragment | undefined {
  if (filter.kind === 'range') return order(list.sorts[filter.sort] as Sort, 'asc')
  return filter.kind === 'indexed' ? filter.order : undefined
}

// A value named twice would yield its rows twice.
const once = (filter: Values): Values => ({ ...filter, values: part`(select distinct a.* from ${filter.values}) a` })

/** The rows that `find` finds for each of the values. */
function ofEach({ values, each }: Values, find: (condition: Fragment) => Fragment): Fragment {
  const rows = each.map(
    (condition, index) => part`
      ${index === 0 ? part`` : part`union all`} select t.* from ${values} cross join lateral (${find(condition)}) t`,
  )
  return part`(${rows}) t`
}
