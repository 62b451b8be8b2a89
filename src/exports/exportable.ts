// What a noun says of itself to be exported. The catalog hands the list over, so exports know no noun.
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Source } from '../postgres/walk.ts'

export interface Exportable<Q extends TObject = TObject> {
  /** In the plural, as in the paths: orders. */
  resource: string
  /** What a row is. */
  item: TSchema
  /** The query of the noun's list, of which exports take the filters. */
  query: Q
  rows(tenant: string, filters: Static<Q>): Source
}

/** Declared through this, `rows` is typed by the query. */
export const exportable = <Q extends TObject>(noun: Exportable<Q>): Exportable => noun as unknown as Exportable

/** The filters of the noun's list: its query without what pages, sorts and projects. */
export const filtersOf = ({ query }: Exportable): TObject =>
  Type.Object(Object.fromEntries(Object.entries(query.properties).filter(([name]) => !OF_PAGES.has(name))))

const OF_PAGES = new Set(['cursor', 'limit', 'fields', 'sort', 'dir', 'offset'])
