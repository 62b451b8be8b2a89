// How PostgreSQL runs a list: the very statements of the routes, explained as they run.
import postgres from 'postgres'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Function Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}

/** The work of a request, its statements together. */
export interface Plan {
  /** Indexes and tables read, each once, as the statements first name them. */
  reads: string[]
  /** Tables read from one end to the other. */
  whole: string[]
  /** Rows and index entries looked at. */
  rows: number
  /** Those of the largest single scan. */
  longest: number
  /** Rows that all parts of the plans handed on or threw away: a part that runs again for each row of another counts each time. */
  handled: number
  /** Rows that the largest sort was given. */
  sorted: number
  statements: number
  /** Processor time of the database alone, without the machine's other work. */
  ms: number
}

export interface Explained {
  sql: Sql
  /** @returns the database's work for `work`, which is given this `sql` */
  plan(work: () => Promise<unknown>): Promise<Plan>
  close(): Promise<void>
}

/** A connection with the service's own settings, and PostgreSQL's auto_explain, whose plans have counted the rows. */
export async function explained(url: string): Promise<Explained> {
  const plans: Node[] = []
  let seconds = 0
  const sql = postgres(url, {
    max: 1,
    connection: {
      ...(await settingsOfTheService(url)),
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'log',
      log_executor_stats: 'on',
      client_min_messages: 'log',
    },
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: ({ message = '', detail = '' }) => {
      const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? []
      if (json !== undefined) plans.push((JSON.parse(json) as { Plan: Node }).Plan)
      const [, user, system] = /^!\s*([\d.]+) s user, ([\d.]+) s system/m.exec(detail) ?? []
      seconds += Number(user ?? 0) + Number(system ?? 0)
    },
  }) as unknown as Sql
  // The driver's own statements when it connects belong to no list.
  await sql`select 1`
  return {
    sql,
    async plan(work) {
      plans.length = 0
      seconds = 0
      await work()
      return measured(plans, seconds * 1000)
    },
    close: () => sql.end(),
  }
}

async function settingsOfTheService(url: string) {
  const { sql, close } = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name ~ '^(plan_|enable_)' and source = 'client'`
  await close()
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

function measured(plans: Node[], ms: number): Plan {
  const nodes = plans.flatMap(flat).filter(node => node['Actual Loops'] > 0)
  // A bitmap's rows are counted where the index finds them.
  const scans = nodes.filter(node => node['Index Name'] !== undefined || node['Node Type'] === 'Seq Scan')
  return {
    reads: [...new Set(scans.map(node => node['Index Name'] ?? node['Relation Name'] ?? ''))],
    whole: scans.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'] ?? ''),
    rows: Math.round(scans.reduce((sum, node) => sum + read(node), 0)),
    handled: Math.round(
      nodes.reduce((sum, node) => sum + read(node) + (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'], 0),
    ),
    longest: Math.round(Math.max(0, ...scans.map(read))),
    sorted: Math.max(0, ...nodes.filter(node => /Sort$/.test(node['Node Type'])).map(sort => Math.round(given(sort)))),
    statements: plans.length,
    ms,
  }
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]

const read = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops']

const given = (sort: Node): number => {
  const [input] = sort.Plans ?? []
  return input ? input['Actual Rows'] * input['Actual Loops'] : 0
}
