// A page of a list in bounded work, whatever it is filtered and sorted by: rows are walked in the order of the sort, by its index, and held
// against the filters. Where they are so rare that the page is not full by `scan` rows, and an index finds no more rows than that, those
// are sorted instead; else the page ends short and its cursor goes on from there.
import { LIST_SCAN_MAX } from '../limits.ts'
import { after, all, keysetPage, order, type Page, type PageRequest, type Sort, type Stop, type TimeFilters, travelling } from './page.ts'
import { type Fragment, part, type Queryable } from './sql.ts'

export interface List {
  /** The table, as `orders t`. */
  from: Fragment
  /** What the JSON and the filters need beside it, one row for each of its rows at most. */
  join?: Fragment
  /** The row's JSON text. */
  json: Fragment
  /** Whose rows: what every index of the list begins with. */
  scope: Fragment
  sorts: Record<string, Sort>
}

/** A condition on `t`, and what an index makes of it. */
export type Filter = Unique | Range | Equality | Values | Indexed | Residual

interface Condition {
  where: Fragment
}

/** An index has one row at most. */
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

/** An index has the rows of this value, in the order of this sort. */
interface Equality extends Condition, Selectivity {
  kind: 'equality'
  sort: string
}

/**
 * An index has the rows of each of several values. Where it has them in the order of the sort asked for, the pages of all values, merged, are
 * the page: these are few values.
 */
interface Values extends Condition, Selectivity {
  kind: 'values'
  /** The order an index has the rows of a value in; absent where that is the order of no sort. */
  sort?: string
  /** The values, as rows of `a`: each once, where there is a sort. */
  values: Fragment
  /** Conditions on `t`, and on `a` where they need one; no row fulfils two of them. */
  each: Fragment[]
}

/** An index has these rows, in this order, which is that of no sort. */
interface Indexed extends Condition {
  kind: 'indexed'
  order: Fragment
}

/** Held against rows found otherwise. */
interface Residual extends Condition {
  kind: 'residual'
}

interface Selectivity {
  /** The rows are nearly always few: their index is asked before any walk. */
  selective?: true
}

/**
 * The page asked for. It may hold fewer rows than asked for although more follow: `next` then goes on after the last row looked at.
 * @param filters those with the fewest rows first
 */
export async function listPage(sql: Queryable, list: List, filters: Filter[], asked: PageRequest): Promise<Page> {
  const isUnique = filters.some(({ kind }) => kind === 'unique')
  // An offset counts rows of the answer, so all of them must be found: deprecated, and as slow as it always was (see LONG_READS_AT_ONCE).
  if (isUnique || asked.offset !== undefined) return pageOf(sql, list, list.from, [list.scope, ...filters.map(({ where }) => where)], asked)
  const { ranges, behind } = rangesOf(filters, asked)
  const others = [...filters.filter(each => !(each.kind === 'range' && each.sort === asked.sort)), ...behind]
  const [only] = others
  if (others.length === 1 && only?.kind === 'values' && only.sort === asked.sort) return merged(sql, list, only, ranges, asked)
  const equality = others.find(each => each.kind === 'equality' && each.sort === asked.sort)
  const walked = [list.scope, ...(equality ? [equality.where] : []), ...ranges]
  const unwalked = others.filter(each => each !== equality)
  if (unwalked.length === 0) return pageOf(sql, list, list.from, walked, asked)
  const likely = await sortedInstead(sql, list, unwalked.filter(isSelective), filters, asked)
  if (likely) return likely
  const page = await walk(sql, list, walked, unwalked, asked)
  if (!page.short) return page
  const rest = unwalked.filter(each => !isSelective(each))
  return (await sortedInstead(sql, list, rest, filters, asked)) ?? page
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

// Behind a cursor the bound that the walk came from has been passed. An index takes but one of the two to begin at, and if that were the bound,
// each page would walk all pages before it. So it is held against the rows instead.
function rangesOf(filters: Filter[], { sort, dir, after }: PageRequest): { ranges: Fragment[]; behind: Residual[] } {
  const near = dir === 'asc' ? 'from' : 'to'
  const all = filters.flatMap(each => (each.kind === 'range' && each.sort === sort ? Object.entries(each.bounds) : []))
  const isBehind = (side: string): boolean => after !== undefined && side === near
  return {
    ranges: all.flatMap(([side, where]) => (where && !isBehind(side) ? [where] : [])),
    behind: all.flatMap(([side, where]) => (where && isBehind(side) ? [{ kind: 'residual', where }] : [])),
  }
}

const pageOf = (sql: Queryable, list: List, rows: Fragment, where: Fragment[], asked: PageRequest, stop?: Stop): Promise<Page> =>
  keysetPage(sql, part`${rows} ${list.join ?? part``}`, list.json, where, list.sorts, asked, stop)

const scanOf = ({ scan = LIST_SCAN_MAX }: PageRequest): number => scan

// The inner limit bounds the work, and keeps the filters from tempting the planner away from the sort's index.
function walk(sql: Queryable, list: List, walked: Fragment[], unwalked: Filter[], asked: PageRequest): Promise<Page> {
  const sort = list.sorts[asked.sort] as Sort
  const conditions = [...walked, ...after(sort, asked)]
  const rows = part`(
    select t.* from ${list.from} where ${all(conditions)} order by ${order(sort, asked.dir)} limit ${scanOf(asked)}) t`
  const stop: Stop = short => part`
    select ${travelling(sort)} as stop_sort, t.id as stop_id
      from ${list.from}
     where ${all([...conditions, short])}
     order by ${order(sort, asked.dir)}
     limit 1 offset ${scanOf(asked) - 1}`
  return pageOf(
    sql,
    list,
    rows,
    unwalked.map(({ where }) => where),
    asked,
    stop,
  )
}

function merged(sql: Queryable, list: List, values: Values, ranges: Fragment[], asked: PageRequest): Promise<Page> {
  const sort = list.sorts[asked.sort] as Sort
  const conditions = [...ranges, ...after(sort, asked)]
  const rows = ofEach(
    values,
    condition => part`
      select t.* from ${list.from}
       where ${all([list.scope, condition, ...conditions])}
       order by ${order(sort, asked.dir)}
       limit ${asked.limit + 1}`,
  )
  return pageOf(sql, list, rows, [part`true`], asked)
}

// Undefined unless one of the candidates has few rows, and an index finds them.
async function sortedInstead(
  sql: Queryable,
  list: List,
  candidates: Filter[],
  filters: Filter[],
  asked: PageRequest,
): Promise<Page | undefined> {
  const few = await firstWithFew(sql, list, candidates, scanOf(asked))
  return few && sorted(sql, list, few, filters, asked)
}

/** A filter whose rows an index finds. */
type ByIndex = Exclude<Filter, Unique | Residual>

// Each is asked for the row after the last that would do.
async function firstWithFew(sql: Queryable, list: List, candidates: Filter[], scan: number): Promise<ByIndex | undefined> {
  const found = candidates.filter(each => isByIndex(list, each))
  if (found.length === 0) return undefined
  const many = found.map(
    (filter, index) => part`${index === 0 ? part`` : part`, `}${isMany(list, filter, scan)} as ${part(`many_${index}` as never)}`,
  )
  const [row] = await sql<Record<string, boolean>[]>`select ${many}`
  return found.find((_, index) => row?.[`many_${index}`] === false)
}

// The bounds of what the list is not sorted by have no index.
const isByIndex = (list: List, filter: Filter): filter is ByIndex =>
  filter.kind === 'range' ? filter.sort in list.sorts : filter.kind !== 'unique' && filter.kind !== 'residual'

function isMany(list: List, filter: ByIndex, scan: number): Fragment {
  const rows = part`exists (select from ${byIndex(list, filter)} offset ${scan})`
  // Values without rows would be looked for in vain, one after another.
  return filter.kind === 'values' ? part`(exists (select from ${filter.values} offset ${scan}) or ${rows})` : rows
}

const sorted = (sql: Queryable, list: List, few: ByIndex, filters: Filter[], asked: PageRequest): Promise<Page> =>
  pageOf(
    sql,
    list,
    part`(select t.* from ${byIndex(list, few.kind === 'values' ? once(few) : few)} offset 0) t`,
    [part`true`, ...filters.filter(each => each !== few).map(({ where }) => where)],
    asked,
  )

function byIndex(list: List, filter: ByIndex): Fragment {
  if (filter.kind === 'values')
    return ofEach(filter, condition => part`select t.* from ${list.from} where ${all([list.scope, condition])} offset 0`)
  const order = orderOf(list, filter)
  return part`${list.from} where ${all([list.scope, filter.where])} ${order ? part`order by ${order}` : part``}`
}

// Bounds of a column look unselective to a plan that serves all values, hence the order, which only their index has.
function orderOf(list: List, filter: Range | Equality | Indexed): Fragment | undefined {
  if (filter.kind === 'range') return order(list.sorts[filter.sort] as Sort, 'asc')
  return filter.kind === 'indexed' ? filter.order : undefined
}

// A value that is named twice would have its rows twice.
const once = (filter: Values): Values => ({ ...filter, values: part`(select distinct a.* from ${filter.values}) a` })

/** The rows that `find` finds for each of the values. */
function ofEach({ values, each }: Values, find: (condition: Fragment) => Fragment): Fragment {
  const rows = each.map(
    (condition, index) => part`
      ${index === 0 ? part`` : part`union all`} select t.* from ${values} cross join lateral (${find(condition)}) t`,
  )
  return part`(${rows}) t`
}
