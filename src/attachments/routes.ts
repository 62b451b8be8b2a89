import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { TooManyDownloads } from '../exports/schema.ts'
import { ANY_TYPE, type Route, read, upload } from '../ingress/route.ts'
import { notFound } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import { QuotaReached } from '../tenants/quota.ts'
import { shown } from './attachments.ts'
import { tenantOf } from './link.ts'
import { Attachment, AttachmentPending, NewAttachment } from './schema.ts'
import { type FileContext, serve } from './serve.ts'
import type { Row } from './store.ts'
import { upload as receive } from './upload.ts'

const path = '/api/v1/attachments'
const one = { path: `${path}/{id}`, idPrefix: 'att', noun: 'attachment', tag: 'Attachments' }
const file = {
  response: Type.Object({}, { additionalProperties: true }),
  file: [ANY_TYPE],
  ranged: true,
  conflicts: [AttachmentPending, TooManyDownloads],
}

export const routes = (config: Config, context: FileContext): Route[] => [
  upload({
    path,
    operationId: 'createAttachment',
    tag: 'Attachments',
    summary: 'Upload a file for a message',
    description:
      'The body is the file, of any Content-Type: what it is, its content tells. Name it in the attachments of one message within a day, or it goes.',
    types: ANY_TYPE,
    maxBytes: config.attachmentMaxBytes,
    query: NewAttachment,
    examples: { [ANY_TYPE]: 'Any bytes.' },
    take: async ({ sql, caller, query: { name }, type, bytes, remember }) =>
      receive(sql, { tenant: caller.tenant, name, claimedType: type, bytes }, config.quotas.storedBytes, async (tx, row) => {
        const answer = { status: 201, body: JSON.stringify(resource(row)), location: `${path}/${row.id}` }
        await remember(tx, answer)
        return answer
      }),
    status: 201,
    response: Attachment,
    conflicts: [QuotaReached],
  }),
  read({
    ...one,
    ...file,
    operationId: 'getAttachment',
    summary: 'Fetch a file',
    description: 'The bytes, or a part of them. Pictures, sound and films are sent to be shown, all else to be saved.',
    query: Type.Object({}),
    handler: ({ caller, id }) => serve(context, { tenant: caller.tenant, id }),
  }),
]

/** Files by a signed link, which stands in for a key: no part of the API, whose subject are keys. */
export const linkRoutes = (keyring: Keyring, context: FileContext): Route[] => [
  read({
    ...one,
    ...file,
    path: '/api/files/{id}',
    operationId: 'getAttachmentByLink',
    summary: 'Fetch a file by a signed link',
    public: true,
    query: Type.Object({ link: Type.Optional(Type.String()) }),
    handler: async ({ id, query: { link = '' }, guest }) => {
      const tenant = tenantOf(keyring, id, link)
      if (tenant === undefined) throw notFound('attachment')
      const found = await serve(context, { tenant, id }, guest)
      // A shop's page shows it, also one that isolates itself from other origins.
      return { ...found, headers: { ...found.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } }
    },
  }),
]

const resource = (row: Row): Attachment => ({ object: 'attachment', ...shown(row), created_at: row.created_at.toISOString() })
