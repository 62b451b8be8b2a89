// Every statement of the assistant's settings.
import { iso } from '../postgres/page.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { AiConfig, Persona } from './schema.ts'

export type Row = Omit<AiConfig, 'knowledge_base'>

/** The settings of a workspace that exists: without a row the defaults, as of the time it was made. */
export async function find(sql: Queryable, tenant: string): Promise<Row> {
  const [row] = await sql<Row[]>`
    select coalesce(c.tone, 'neutral') as tone, coalesce(c.language, 'auto') as language,
           coalesce(c.custom_instructions, '') as custom_instructions, coalesce(c.auto_reply, true) as auto_reply,
           coalesce(c.version, 1) as version, ${iso(part`coalesce(c.updated_at, t.created_at)`)} as updated_at
      from tenants t
      left join ai_configs c on c.tenant_id = t.id and c.tenant_id = ${tenant}
     where t.id = ${tenant}`
  return row as Row
}

/** Locks the settings until the transaction ends; a row is made where there is none. */
export async function lock(tx: Tx, tenant: string): Promise<void> {
  await tx`insert into ai_configs (tenant_id) values (${tenant}) on conflict do nothing`
  await tx`select 1 from ai_configs where tenant_id = ${tenant} for no key update`
}

export async function save(tx: Tx, tenant: string, { tone, language, custom_instructions, auto_reply }: Persona): Promise<void> {
  await tx`
    update ai_configs
       set tone = ${tone}, language = ${language}, custom_instructions = ${custom_instructions}, auto_reply = ${auto_reply},
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant}`
}
