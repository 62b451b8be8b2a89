import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { listRoute } from '../ingress/list.ts'
import type { Route } from '../ingress/route.ts'
import { Channel, channelListing, channelQuery } from './accounts/schema.ts'
import { shownBy } from './accounts/shown.ts'
import * as store from './accounts/store.ts'

/** Channels are made and changed on the command line, for that takes credentials: a key reads alone. */
export function routes(config: Config): Route[] {
  const shown = shownBy(config)
  return [
    listRoute(config, channelListing, {
      operationId: 'listChannels',
      tag: 'Channels',
      summary: 'List channels',
      query: channelQuery,
      item: Channel,
      page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page, shown),
    }),
    itemRoute({
      idPrefix: 'chn',
      noun: 'channel',
      tag: 'Channels',
      path: `${channelListing.path}/{id}`,
      operationId: 'getChannel',
      summary: 'Read a channel',
      response: Channel,
      json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id, shown),
    }),
  ]
}
