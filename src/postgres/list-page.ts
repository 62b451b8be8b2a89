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

/** A condition on `t`, and what an index makes of it. A filter with none of these is held against rows found otherwise. */
export interface Filter {
  where: Fragment
  /** Bounds of this sort's column. */
  range?: string
  bounds?: Bounds
  /** An index has the rows of this value, in the order of this sort; `any`: it has one row at most. */
  equal?: string
  /** An index has these rows, in this order, which is nobody's sort. */
  along?: Fragment
  /** An index has the rows of each of several values. */
  among?: Among
  /** An index has these rows and they are nearly always few: it is asked before any walk. */
  few?: true
}

export interface Bounds {
  from?: Fragment | undefined
  to?: Fragment | undefined
}

/** Where the index has them in the order of the sort asked for, the pages of all values, merged, are the page: these are few values. */
export interface Among {
  /** The sort; '' where they are in none. */
  sort: string
  /** The values, as rows of `a`: each once, where the sort is asked for. */
  values: Fragment
  /** Conditions on `t`, and on `a` where they need one; no row fulfils two of them. */
  each: Fragment[]
}

/**
 * The page asked for. It may hold fewer rows than asked for although more follow: `next` then goes on after the last row looked at.
 * @param filters those with the fewest rows first
 */
export async function listPage(sql: Queryable, list: List, filters: Filter[], asked: PageRequest): Promise<Page> {
  const one = filters.find(({ equal }) => equal === 'any')
  // An offset counts rows of the answer, so all of them must be found: deprecated, and as slow as it always was (see LONG_READS_AT_ONCE).
  if (one || asked.offset !== undefined) return pageOf(sql, list, list.from, [list.scope, ...filters.map(({ where }) => where)], asked)
  const { ranges, passed } = rangesOf(filters, asked)
  const others = [...filters.filter(each => each.range !== asked.sort), ...passed]
  const [only] = others
  if (others.length === 1 && only?.among?.sort === asked.sort) return merged(sql, list, only.among, ranges, asked)
  const equal = others.find(each => each.equal === asked.sort)
  const walked = [list.scope, ...(equal ? [equal.where] : []), ...ranges]
  const held = others.filter(each => each !== equal)
  if (held.length === 0) return pageOf(sql, list, list.from, walked, asked)
  const likely = await sortedFew(sql, list, each => each.few === true, held, filters, asked)
  if (likely) return likely
  const page = await walk(sql, list, walked, held, asked)
  return page.short ? ((await sortedFew(sql, list, each => !each.few, held, filters, asked)) ?? page) : page
}

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
  return given.length > 0 ? [{ where: all(given), range: sort, bounds }] : []
}

// Behind a cursor the bound that the walk came from has been passed. An index takes but one of the two to begin at, and if that were the bound,
// each page would walk all pages before it. So it is held against the rows instead.
function rangesOf(filters: Filter[], { sort, dir, after }: PageRequest): { ranges: Fragment[]; passed: Filter[] } {
  const near = dir === 'asc' ? 'from' : 'to'
  const all = filters.filter(each => each.range === sort).flatMap(({ bounds }) => Object.entries(bounds ?? {}))
  const isPassed = (side: string): boolean => after !== undefined && side === near
  return {
    ranges: all.flatMap(([side, where]) => (where && !isPassed(side) ? [where] : [])),
    passed: all.flatMap(([side, where]) => (where && isPassed(side) ? [{ where }] : [])),
  }
}

const pageOf = (sql: Queryable, list: List, rows: Fragment, where: Fragment[], asked: PageRequest, stop?: Stop): Promise<Page> =>
  keysetPage(sql, part`${rows} ${list.join ?? part``}`, list.json, where, list.sorts, asked, stop)

const scanOf = ({ scan = LIST_SCAN_MAX }: PageRequest): number => scan

// The inner limit bounds the work, and keeps the filters from tempting the planner away from the sort's index.
function walk(sql: Queryable, list: List, walked: Fragment[], held: Filter[], asked: PageRequest): Promise<Page> {
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
    held.map(({ where }) => where),
    asked,
    stop,
  )
}

function merged(sql: Queryable, list: List, among: Among, ranges: Fragment[], asked: PageRequest): Promise<Page> {
  const sort = list.sorts[asked.sort] as Sort
  const conditions = [...ranges, ...after(sort, asked)]
  const rows = ofEach(
    among,
    condition => part`
      select t.* from ${list.from}
       where ${all([list.scope, condition, ...conditions])}
       order by ${order(sort, asked.dir)}
       limit ${asked.limit + 1}`,
  )
  return pageOf(sql, list, rows, [part`true`], asked)
}

// Undefined unless one of the filters asked for has few rows, and an index finds them.
async function sortedFew(
  sql: Queryable,
  list: List,
  which: (filter: Filter) => boolean,
  held: Filter[],
  filters: Filter[],
  asked: PageRequest,
): Promise<Page | undefined> {
  const few = await firstFew(sql, list, held.filter(which), scanOf(asked))
  return few && sorted(sql, list, few, filters, asked)
}

// Each is asked for the row after the last that would do.
async function firstFew(sql: Queryable, list: List, filters: Filter[], scan: number): Promise<Filter | undefined> {
  // The bounds of what the list is not sorted by have no index.
  const found = filters.filter(({ range, equal, along, among }) => (range && list.sorts[range]) ?? equal ?? along ?? among)
  if (found.length === 0) return undefined
  const many = found.map(
    (filter, index) => part`${index === 0 ? part`` : part`, `}${isMany(list, filter, scan)} as ${part(`many_${index}` as never)}`,
  )
  const [row] = await sql<Record<string, boolean>[]>`select ${many}`
  return found.find((_, index) => row?.[`many_${index}`] === false)
}

function isMany(list: List, filter: Filter, scan: number): Fragment {
  const rows = part`exists (select from ${byIndex(list, filter)} offset ${scan})`
  // Values without rows would be looked for in vain, one after another.
  return filter.among ? part`(exists (select from ${filter.among.values} offset ${scan}) or ${rows})` : rows
}

const sorted = (sql: Queryable, list: List, few: Filter, filters: Filter[], asked: PageRequest): Promise<Page> =>
  pageOf(
    sql,
    list,
    part`(select t.* from ${byIndex(list, few.among ? { ...few, among: once(few.among) } : few)} offset 0) t`,
    [part`true`, ...filters.filter(each => each !== few).map(({ where }) => where)],
    asked,
  )

// Bounds of a column look unselective to a plan that serves all values, hence the order, which only their index has.
function byIndex(list: List, { where, range, along, among }: Filter): Fragment {
  if (among) return ofEach(among, condition => part`select t.* from ${list.from} where ${all([list.scope, condition])} offset 0`)
  const ordered = range ? order(list.sorts[range] as Sort, 'asc') : along
  return part`${list.from} where ${all([list.scope, where])} ${ordered ? part`order by ${ordered}` : part``}`
}

// A value that is named twice would have its rows twice.
const once = (among: Among): Among => ({ ...among, values: part`(select distinct a.* from ${among.values}) a` })

/** The rows that `find` finds for each of the values. */
function ofEach({ values, each }: Among, find: (condition: Fragment) => Fragment): Fragment {
  const rows = each.map(
    (condition, index) => part`
      ${index === 0 ? part`` : part`union all`} select t.* from ${values} cross join lateral (${find(condition)}) t`,
  )
  return part`(${rows}) t`
}
