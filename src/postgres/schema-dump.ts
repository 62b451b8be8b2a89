// The schema as text, from the catalog of an empty, migrated database: a review sees what a migration really made, and `--check` finds drift.
import { readFile, writeFile } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'
import { connect } from './connect.ts'
import { openTemporary } from './embedded/embedded.ts'
import { migrate } from './migrate.ts'

const FILE = new URL('../../sql/schema.txt', import.meta.url)

export async function writeSchema(): Promise<void> {
  await writeFile(FILE, await dumpFresh())
  console.log('Wrote sql/schema.txt.')
}

/** @throws {OperatorError} when the migrations do not make the schema of sql/schema.txt */
export async function checkSchema(): Promise<void> {
  const [fresh, kept] = [await dumpFresh(), await readFile(FILE, 'utf8').catch(() => '')]
  if (fresh === kept) return console.log('Migrations run from empty, and sql/schema.txt is what they make.')
  const [keptLines, freshLines] = [kept.split('\n'), fresh.split('\n')]
  const at = freshLines.findIndex((line, index) => line !== keptLines[index])
  throw new OperatorError(
    `sql/schema.txt is not what the migrations make (line ${at + 1}: ${JSON.stringify(freshLines[at])}); run: bin/shopdesk schema`,
  )
}

async function dumpFresh(): Promise<string> {
  const embedded = await openTemporary()
  try {
    await migrate(embedded.url)
    return await dump(embedded.url)
  } finally {
    await embedded.close()
  }
}

async function dump(url: string): Promise<string> {
  const sql = connect(url, { name: 'shopdesk schema', max: 1 })
  try {
    const lines = await sql<{ line: string }[]>`
      with mine as (
        select c.oid, c.relname, c.relpersistence, c.reloptions from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r')
      select format('%s table%s %s', relname, case relpersistence when 'u' then ' unlogged' else '' end, coalesce(reloptions::text, '')) as line, relname, 0 as kind, 0 as place from mine
      union all
      select format('  %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
                    case when a.attidentity <> '' then ' identity' else '' end,
                    coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), relname, 1, a.attnum
        from mine join pg_attribute a on a.attrelid = mine.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      union all
      select format('  %s %s', conname, pg_get_constraintdef(c.oid)), relname, 2, row_number() over (order by conname)
        from mine join pg_constraint c on c.conrelid = mine.oid and c.contype <> 'n'
      union all
      select format('  %s', pg_get_indexdef(i.indexrelid)), relname, 3, row_number() over (order by pg_get_indexdef(i.indexrelid))
        from mine join pg_index i on i.indrelid = mine.oid
      union all
      select format('view %s%s%s', relname, E'\\n', pg_get_viewdef(oid)), 'zy' || relname, 0, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
      union all
      select pg_get_functiondef(p.oid), 'zz' || proname, 4, 0 from pg_proc p where pronamespace = 'public'::regnamespace
      order by relname, kind, place`
    return `${lines.map(row => row.line).join('\n')}\n`
  } finally {
    await sql.end()
  }
}
