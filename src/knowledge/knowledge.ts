// What the assistant answers from, as far as apps bring it.
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { KNOWLEDGE_LISTED } from '../limits/knowledge.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import * as store from './store.ts'

export interface AppText {
  /** As the manifest calls it. */
  id: string
  title: string
  content: string
}

/** An app's texts are these from the commit on. @param app `app_…` */
export async function replaceOfApp(tx: Tx, tenant: string, app: string, texts: AppText[]): Promise<void> {
  await store.removeOthers(
    tx,
    tenant,
    app,
    texts.map(({ id }) => id),
  )
  const rows = texts.map(({ id: entry, title, content }) => ({ tenant, id: newId('knw'), app, entry, title, content }))
  if (rows.length > 0) await store.upsert(tx, rows, new Date(now()))
}

/** Nothing of the app is found from the commit on. */
export const removeOfApp = (tx: Tx, tenant: string, app: string): Promise<void> => store.removeOthers(tx, tenant, app, [])

/** The titles, in their order: those that fit into an answer. */
export const titlesOf = async (sql: Queryable, tenant: string): Promise<store.Listed[]> => [
  ...(await store.titles(sql, tenant, KNOWLEDGE_LISTED)),
]
