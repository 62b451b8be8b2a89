// Records over REST. What a record has beside the members of all records, its app declares: so it is checked here and not by the route's schema.
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { parseFields } from '../ingress/fields.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { type Route, write } from '../ingress/route.ts'
import { Problem } from '../problems.ts'
import { readRecord } from './body.ts'
import { filtersOfQuery } from './filter.ts'
import * as lists from './list-store.ts'
import { FULL_ID, NAMED, type Reached, reachToRead } from './reach.ts'
import * as records from './records.ts'
import { AnyRecord, DeletedRecord, LinkedTo, linkedTo, NewRecord, RecordChange, recordOf } from './schema.ts'

const path = '/api/platform/resources/{resourceFullId}'
const listing: Listing = {
  path,
  idPrefix: 'rec',
  sorts: { created_at: 'time', updated_at: 'time' },
  offers: { offset: false },
}
const query = listQuery(listing, {
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Exactly.' })),
  linked_to: Type.Optional(LinkedTo),
})
const names = { name: 'resourceFullId', pattern: FULL_ID, noun: 'resource', named: NAMED }
const all = { names, tag: 'Records' }
const one = { ...all, inner: { name: 'id', idPrefix: 'rec' as const, noun: 'record' }, noun: 'record', path: `${path}/{id}` }

const DISABLED = conflict('app_disabled')
const TAKEN = conflict('duplicate_external_id', { record_id: Type.String({ description: 'The record that has it.' }) }, 'duplicate_record')
const CHANGING = conflict('record_changing')

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    ...all,
    operationId: 'listRecords',
    summary: 'List the records of an app’s resource',
    filters: {
      description:
        'Fields that the app declares: `filter[tier]=gold`, and for numbers and dates `filter[points][gte]=100`, likewise gt, lt and lte.',
      example: { points: '100' },
    },
    query,
    item: AnyRecord,
    page: async ({ sql, caller, id: resource, filters = {}, query: { fields, linked_to, external_id, ...times } }, page) => {
      const reached = await reachToRead(sql, caller, resource)
      refuseUnknownFields(reached, fields)
      const values = filtersOfQuery(reached.declared, reached.fields, filters)
      return lists.list(sql, reached, reached.fields, { ...times, external_id, linked: linkedTo(linked_to), values }, page)
    },
  }),
  write({
    ...all,
    method: 'POST',
    path,
    operationId: 'createRecord',
    summary: 'Create a record',
    description:
      'With the fields that the app declares. An external_id that a record of the resource has is a conflict, which names that record.',
    body: NewRecord,
    readBody: value => readRecord(NewRecord, value),
    example: { external_id: 'order-1001', reason: 'Welcome', points: 100 },
    status: 201,
    response: AnyRecord,
    conflicts: [DISABLED, TAKEN, CHANGING],
    handler: async ({ tx, caller, id: resource, body: { external_id, ...values } }) => {
      const { created, record } = await records.create(tx, caller, resource, { values, external_id: external_id ?? undefined })
      const location = `/api/platform/resources/${encodeURIComponent(resource)}/${record.id}`
      if (!created) throw taken(record.id, location)
      return { body: JSON.stringify(record), location }
    },
  }),
  itemRoute({
    ...one,
    operationId: 'getRecord',
    summary: 'Read a record',
    response: AnyRecord,
    json: async (sql, { caller, id: resource, innerId: id, query }) => {
      const reached = await reachToRead(sql, caller, resource)
      refuseUnknownFields(reached, (query as { fields?: string }).fields)
      return lists.findJson(sql, reached, reached.fields, id)
    },
  }),
  write({
    ...one,
    method: 'PATCH',
    operationId: 'updateRecord',
    summary: 'Change a record',
    description: 'Only the fields given are changed; null empties one that is not required.',
    body: RecordChange,
    readBody: value => readRecord(RecordChange, value),
    example: { points: 150 },
    status: 200,
    response: AnyRecord,
    conditional: true,
    conflicts: [DISABLED],
    handler: async ({ tx, caller, id: resource, innerId: id, body, unchanged }) => ({
      body: JSON.stringify(await records.change(tx, caller, resource, id, body, unchanged)),
    }),
  }),
  write({
    ...one,
    method: 'DELETE',
    operationId: 'deleteRecord',
    summary: 'Delete a record',
    status: 200,
    response: DeletedRecord,
    conditional: true,
    conflicts: [DISABLED],
    handler: async ({ tx, caller, id: resource, innerId: id, unchanged }) => {
      await records.remove(tx, caller, resource, id, unchanged)
      return { body: JSON.stringify({ object: 'record', id, deleted: true }) }
    },
  }),
]

const taken = (id: string, location: string): Problem =>
  new Problem(
    'conflict',
    'Another record of this resource has this external_id.',
    { code: 'duplicate_external_id', record_id: id },
    { Location: location },
  )

/** The route's schema lets any field be named. @throws {Problem} 422 */
function refuseUnknownFields({ declared }: Reached, fields: string | undefined): void {
  if (fields !== undefined) parseFields(fields, recordOf(declared.fields.map(({ name }) => name)))
}
