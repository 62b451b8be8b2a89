// A noun's description of what can be exported. The catalog hands over the list, so this folder imports no noun.
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Source } from '../postgres/walk.ts'

export interface Exportable<Q extends TObject = TObject> {
  /** The plural name, as in the paths: orders. */
  resource: string
  /** The schema of a row. */
  item: TSchema
  /** The query of the noun's list. Exports take its filters. */
  query: Q
  rows(tenant: string, filters: Static<Q>): Source
}

/** Declares an exportable whose `rows` is typed by its query. */
export const exportable = <Q extends TObject>(noun: Exportable<Q>): Exportable => noun as unknown as Exportable

/** The filters of the noun's list: its query without paging, sorting and projection. */
export const filtersOf = ({ query }: Exportable): TObject =>
  Type.Object(Object.fromEntries(Object.entries(query.properties).filter(([name]) => !OF_PAGES.has(name))))

const OF_PAGES = new Set(['cursor', 'limit', 'fields', 'sort', 'dir', 'offset'])
