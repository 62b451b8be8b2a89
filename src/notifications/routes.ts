import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import type { Route } from '../ingress/route.ts'
import { Notification } from './schema.ts'
import * as store from './store.ts'

const listing: Listing = {
  path: '/api/platform/notifications',
  idPrefix: 'ntf',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}
const query = Type.Omit(listQuery(listing, {}), ['updated_after', 'updated_before'])

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listNotifications',
    tag: 'Apps',
    summary: 'List notifications',
    description: 'What apps have told the team in the last 30 days.',
    query,
    item: Notification,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
]
