// What tasks/contacts/merge.ts calls.
import type { Sql } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import { finish } from './merge.ts'

const context = provided<{ sql: Sql }>('merging of contacts')

export const provideMerge = context.provide
export const finishMerge = (tenant: string, keptId: string, mergedId: string): Promise<void> =>
  finish(context.get().sql, { tenant, actor: { type: 'system' } }, keptId, mergedId)
