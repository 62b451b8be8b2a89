import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { exportable } from '../exports/exportable.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, write } from '../ingress/route.ts'
import { Phone } from '../schemas.ts'
import * as contacts from './contacts.ts'
import * as lists from './list-store.ts'
import { merge, missing } from './merge.ts'
import { Contact, ContactChange, ContactMerge, MERGING, NewContact, TakenByContact } from './schema.ts'

const path = '/api/v1/contacts'
const listing: Listing = {
  path,
  idPrefix: 'con',
  sorts: { created_at: 'time', updated_at: 'time' },
  offers: { offset: false },
}
const text = (maxLength: number, description: string) => Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const query = listQuery(listing, {
  q: text(300, 'The beginning of the name in any case, or the whole e-mail address, phone number or external_id.'),
  email: text(254, 'Exactly, in any case.'),
  phone: Type.Optional({ ...Phone, description: 'E.164. In a URL the plus sign is written %2B.' }),
  external_id: text(200, 'Exactly.'),
  tag: text(64, 'With this tag, exactly.'),
  blocked: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, blocked.' })),
})
export const exported = exportable({ resource: 'contacts', item: Contact, query, rows: lists.rows })
const one = { idPrefix: 'con', noun: 'contact', tag: 'Contacts', path: `${path}/{id}` }

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listContacts',
    tag: 'Contacts',
    summary: 'List contacts',
    query,
    item: Contact,
    page: ({ sql, caller, query }, page) => lists.list(sql, caller.tenant, query, page),
  }),
  write({
    method: 'POST',
    path,
    operationId: 'createContact',
    tag: 'Contacts',
    summary: 'Create a contact',
    description: 'An external_id, e-mail address or phone number that another contact has is a conflict, which names that contact.',
    body: NewContact,
    example: { name: 'Grace Hopper', email: 'grace@example.com', external_id: 'crm-1906', tags: ['newsletter'] },
    status: 201,
    response: Contact,
    conflicts: TakenByContact,
    handler: async ({ tx, caller, body }) => {
      const { id, json } = await contacts.create(tx, caller, body)
      return { body: json, location: `${path}/${id}` }
    },
  }),
  itemRoute({
    ...one,
    operationId: 'getContact',
    summary: 'Read a contact',
    response: Contact,
    json: async (sql, { caller, id }) => (await lists.findJson(sql, caller.tenant, id)) ?? Promise.reject(await missing(sql, caller, id)),
  }),
  write({
    ...one,
    method: 'PATCH',
    operationId: 'updateContact',
    summary: 'Change a contact',
    description: 'Only the fields given are changed; tags and attributes are replaced whole.',
    body: ContactChange,
    example: { tags: ['newsletter', 'vip'], language: 'en' },
    status: 200,
    response: Contact,
    conditional: true,
    conflicts: TakenByContact,
    handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await contacts.change(tx, caller, id, body, unchanged) }),
  }),
  write({
    ...one,
    path: `${one.path}/merge`,
    method: 'POST',
    operationId: 'mergeContact',
    summary: 'Merge another contact into this one',
    description:
      'For one person who is known as two. This contact keeps its fields and gets those it lacks, with the tags, attributes, channels, conversations and orders of the other, which is a 404 with `merged_into` from then on.',
    body: ContactMerge,
    example: { contact_id: 'con_01jw3k5m7n8p9q0r1s2t3v4w5x' },
    status: 200,
    response: Contact,
    conflicts: [MERGING],
    handler: async ({ tx, caller, id, body }) => ({ body: await merge(tx, caller, id, body.contact_id) }),
  }),
]
