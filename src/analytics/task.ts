// What tasks/analytics/ calls.
import type { Sql } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import { recount } from './recount.ts'

const context = provided<{ sql: Sql }>('analytics')

export const provideAnalytics = context.provide
export async function recountOf(tenant: string): Promise<void> {
  await recount(context.get().sql, tenant)
}
