import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { listRoute } from '../ingress/list.ts'
import type { Route } from '../ingress/route.ts'
import { healthJson } from './health.ts'
import { APP_NAME, App, AppHealth, appListing, appQuery } from './routes-schema.ts'
import * as store from './store.ts'

/** Apps are installed and changed by admins, for that takes credentials: a key reads alone. */
export const routes = (config: Config): Route[] => [
  listRoute(config, appListing, {
    operationId: 'listApps',
    tag: 'Apps',
    summary: 'List apps',
    query: appQuery,
    item: App,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
  itemRoute({
    names: APP_NAME,
    noun: 'app',
    tag: 'Apps',
    path: `${appListing.path}/{app}`,
    operationId: 'getApp',
    summary: 'Read an app',
    description: 'By its id, app_…, or by that of its manifest, such as acme:loyalty.',
    response: App,
    json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
  }),
  itemRoute({
    names: APP_NAME,
    noun: 'app',
    tag: 'Apps',
    path: `${appListing.path}/{app}/health`,
    operationId: 'getAppHealth',
    summary: 'Read an app’s health',
    description: 'What came of calls of its skills in the last 24 hours, or of the latest 10 000, where there were more.',
    response: AppHealth,
    long: true,
    json: (sql, { caller, id }) => healthJson(sql, caller.tenant, id),
  }),
]
