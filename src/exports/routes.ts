import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { acceptsGzip } from '../ingress/encoded.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, read, write } from '../ingress/route.ts'
import { QuotaReached } from '../tenants/quota.ts'
import type { Exportable } from './exportable.ts'
import * as exports from './exports.ts'
import { type Form, MEDIA_TYPES } from './format.ts'
import { downloadQuery, exportShape, type NewExport, NoFile, newExport, TooManyDownloads, TooManyExports, titled } from './schema.ts'
import * as store from './store.ts'

const path = '/api/v1/exports'
const one = { path: `${path}/{id}`, idPrefix: 'exp', noun: 'export', tag: 'Exports' }
const listing: Listing = { path, idPrefix: 'exp', sorts: { created_at: 'time' }, offers: { offset: false } }

/** @param nouns what can be exported */
export function routes(config: Config, nouns: Exportable[], context: exports.DownloadContext): Route[] {
  const Export = exportShape(nouns.map(({ resource }) => resource))
  const query = Type.Pick(listQuery(listing, {}), ['cursor', 'limit', 'fields', 'sort', 'dir', 'offset'])
  const file = Object.values(MEDIA_TYPES)
  return [
    ...nouns.map(noun =>
      read({
        path: `${path}/${noun.resource}`,
        operationId: `download${titled(noun.resource)}`,
        tag: 'Exports',
        summary: `Download all ${noun.resource}`,
        description:
          'Oldest first, as they are read: no row twice, and none left out that was there when the download began. The rows are sent as they are read; a connection that ends before the last chunk means that the file is not complete.',
        query: downloadQuery(noun),
        response: noun.item,
        file,
        conflicts: [TooManyDownloads],
        handler: ({ caller, query }) => {
          const { format = 'ndjson', fields, bom, ...filters } = query as Partial<Form>
          return exports.download(context, caller, noun, { format, fields, bom }, filters)
        },
      }),
    ),
    write({
      method: 'POST',
      path,
      operationId: 'createExport',
      tag: 'Exports',
      summary: 'Order an export',
      description: 'Its file is written by a worker, to be fetched when it is complete. A 202: its progress is at Location.',
      body: newExport(nouns),
      example: {
        resource: 'orders',
        format: 'csv',
        fields: ['number', 'status', 'customer.email', 'total_amount'],
        filters: { status: ['pending'] },
      },
      status: 202,
      response: Export,
      conflicts: [TooManyExports, QuotaReached],
      inTurns: true,
      handler: async ({ tx, caller, body }) => {
        const asked = body as NewExport
        const noun = nouns.find(({ resource }) => resource === asked.resource) as Exportable
        const id = await exports.begin(tx, caller, noun, asked, config.quotas.storedBytes)
        return { body: (await store.findJson(tx, { tenant: caller.tenant, id })) as string, location: `${path}/${id}` }
      },
    }),
    listRoute(config, listing, {
      operationId: 'listExports',
      tag: 'Exports',
      summary: 'List exports',
      query,
      item: Export,
      page: ({ sql, caller }, page) => store.list(sql, caller.tenant, page),
    }),
    itemRoute({
      ...one,
      operationId: 'getExport',
      summary: 'Read an export’s progress',
      response: Export,
      json: (sql, { caller, id }) => store.findJson(sql, { tenant: caller.tenant, id }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${one.path}/cancel`,
      operationId: 'cancelExport',
      summary: 'Cancel an export',
      description: 'What was written goes, also the file of a completed one. One that failed or was cancelled stays as it is.',
      status: 200,
      response: Export,
      handler: async ({ tx, caller, id }) => ({ body: await exports.cancel(tx, caller, id) }),
    }),
    read({
      ...one,
      path: `${one.path}/download`,
      operationId: 'downloadExport',
      summary: 'Download an export’s file',
      description: 'Sent compressed to those who accept gzip, as which it is kept.',
      query: Type.Object({}),
      response: Type.Object({}, { additionalProperties: true }),
      file,
      conflicts: [NoFile, TooManyDownloads],
      handler: ({ caller, id, acceptEncoding }) => exports.fetchFile(context, caller, id, acceptsGzip(acceptEncoding)),
    }),
  ]
}
