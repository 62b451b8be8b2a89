// The rights of the role of web, worker and commands: to read and write rows, and to analyze tables; no more. The role cannot make or change
// tables, roles or files, so an injected statement reaches neither the machine nor other databases.
import type postgres from 'postgres'
import { OperatorError } from '../errors.ts'

/**
 * Gives `role` the rights that it lacks. Writes nothing when it lacks none.
 * @param sql a connection of the tables' owner
 * @throws {OperatorError} when there is no such role
 */
export async function grantService(sql: postgres.Sql, role: string): Promise<void> {
  const [known] = await sql`select from pg_roles where rolname = ${role}`
  if (!known) throw new OperatorError(`There is no database role ${JSON.stringify(role)}; create it first, as a role that may log in.`)
  const missing = await sql<{ statement: string }[]>`
    with service as (
      select oid, rolname, rolsuper or rolbypassrls as sees_all_rows from pg_roles where rolname = ${role}
    ), owned as (
      select c.oid, c.relkind, c.relowner, c.relrowsecurity, format('%I.%I', n.nspname, c.relname) as name,
             case when c.relkind = 'S' then array['usage']
                  -- written by migrations alone
                  when c.relkind = 'v' or c.relname in ('migrations', 'plans') then array['select']
                  -- maintain: an import has tables analyzed while it fills them
                  else array['select', 'insert', 'update', 'delete', 'maintain'] end as needed
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'S')
         and c.relowner = (select relowner from pg_class where oid = 'public.migrations'::regclass)
    )
    select format('grant usage on schema %I to %I', n.nspname, s.rolname) as statement
      from pg_namespace n, service s
     where n.nspname in ('public', 'graphile_worker') and not has_schema_privilege(s.oid, n.oid, 'usage')
    union all
    select format('grant %s on %s %s to %I', string_agg(right_name, ', '), case o.relkind when 'S' then 'sequence' else 'table' end, o.name, s.rolname)
      from owned o, service s, unnest(o.needed) as right_name
     where not case o.relkind when 'S' then has_sequence_privilege(s.oid, o.oid, right_name) else has_table_privilege(s.oid, o.oid, right_name) end
     group by o.relkind, o.name, s.rolname
    union all
    -- the queue's tables show their rows to their owner alone
    select format('create policy %I on %s to %I using (true)', s.rolname, o.name, s.rolname)
      from owned o, service s
     where o.relrowsecurity and not s.sees_all_rows and not pg_has_role(s.oid, o.relowner, 'usage')
       and not exists (select from pg_policy p where p.polrelid = o.oid and s.oid = any(p.polroles))`
  if (missing.length > 0) await sql.begin(tx => tx.unsafe(missing.map(({ statement }) => statement).join(';\n')))
}
