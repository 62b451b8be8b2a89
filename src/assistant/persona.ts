// The persona of a workspace's assistant: how it speaks, and whether it answers by itself.
import type { Caller } from '../caller.ts'
import { titlesOf } from '../knowledge/knowledge.ts'
import { spelledTag } from '../language-tag.ts'
import { audit } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { type AiConfig, AUTO, type Persona, type PersonaChange } from './schema.ts'
import * as store from './store.ts'

export async function config(sql: Queryable, { tenant }: Caller): Promise<AiConfig> {
  const [row, knowledge_base] = await Promise.all([store.find(sql, tenant), titlesOf(sql, tenant)])
  return { ...row, knowledge_base }
}

/**
 * Changes what is given.
 * @returns the settings as they are then, and the names of those that were otherwise before
 */
export async function change(tx: Tx, caller: Caller, input: PersonaChange): Promise<{ config: AiConfig; changed: string[] }> {
  const { language } = input
  const given = {
    ...input,
    ...(language !== undefined && { language: language === AUTO ? AUTO : spelledTag(language) }),
  } as Partial<Persona>
  await store.lock(tx, caller.tenant)
  const before = await store.find(tx, caller.tenant)
  const changed = (Object.keys(given) as (keyof Persona)[]).filter(name => given[name] !== before[name])
  if (changed.length === 0) return { config: await config(tx, caller), changed }
  await store.save(tx, caller.tenant, { ...before, ...given })
  await audit(tx, caller, 'ai_config.update', caller.tenant, { fields: changed })
  return { config: await config(tx, caller), changed }
}
