// The route of one resource, read by its id.
import { Type } from 'typebox'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { fields, sparse } from './fields.ts'
import { TOO_MANY_LONG_READS } from './problem-schemas.ts'
import { type ReadRoute, type Route, type RouteInput, read } from './route.ts'

interface ItemRoute extends Omit<ReadRoute, 'kind' | 'method' | 'scope' | 'query' | 'handler' | 'conflicts'> {
  /** The word for the resource in a 404. */
  noun: string
  /** @returns the resource's JSON text; undefined where the tenant has no such resource */
  json: (sql: Queryable, input: RouteInput<unknown>) => Promise<string | Buffer | undefined>
  /** Computed from many rows: a long read. */
  long?: true
}

export const itemRoute = ({ json, long, ...route }: ItemRoute): Route =>
  read({
    ...route,
    query: Type.Object({ fields }),
    ...(long && { conflicts: [TOO_MANY_LONG_READS] }),
    handler: async input => {
      const text = await (long ? input.apart(sql => json(sql, input)) : json(input.sql, input))
      if (text === undefined) throw notFound(route.inner?.noun ?? route.noun)
      return { body: sparse(text, input.project) }
    },
  })
