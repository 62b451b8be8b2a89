// A page of a conversation's messages.
import { wrongCursor } from '../ingress/cursor.ts'
import type { Page, PageRequest, TimeFilters } from '../postgres/page.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as lists from './list-store.ts'

export interface Asked {
  tenant: string
  conversation: string
  filters: Pick<TimeFilters, 'created_after' | 'created_before'>
}

/**
 * @param point asked beside the page whether there is such a conversation
 * @throws {Problem} 404; 422 for the cursor of another conversation
 */
export async function messagesOf(
  { sql, point }: Record<'sql' | 'point', Queryable>,
  { tenant, conversation, filters }: Asked,
  asked: PageRequest,
): Promise<Page> {
  const [page, place] = await Promise.all([
    lists.messages(sql, tenant, conversation, filters, asked),
    lists.placeOf(point, tenant, conversation, asked.after?.id ?? null),
  ])
  if (!place) throw notFound('conversation')
  if (place.elsewhere) throw wrongCursor()
  return page
}
