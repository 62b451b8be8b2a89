// A channel of a workspace, or a 404.
import type { Caller } from '../caller.ts'
import type { Sql } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as store from './accounts/store.ts'
import type { ChannelContext } from './joining.ts'

export async function known(sql: Sql, { tenant }: Caller, id: string): Promise<store.Sealed> {
  const row = await store.findSealed(sql, tenant, id)
  if (!row) throw notFound('channel')
  return row
}

export async function shown(sql: Sql, { tenant }: Caller, id: string, { shown }: ChannelContext): Promise<string> {
  const json = await store.findJson(sql, tenant, id, shown)
  if (json === undefined) throw notFound('channel')
  return json
}
