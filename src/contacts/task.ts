// What tasks/contacts/ calls.
import type { Sql } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import * as block from './block.ts'
import * as merge from './merge.ts'

const context = provided<{ sql: Sql }>('contacts')

export const provideContacts = context.provide
export const finishMerge = (tenant: string, keptId: string, mergedId: string): Promise<void> =>
  merge.finish(context.get().sql, { tenant, actor: { type: 'system' } }, keptId, mergedId)
export const finishBlock = (tenant: string, id: string): Promise<void> =>
  block.finish(context.get().sql, { tenant, actor: { type: 'system' } }, id)
