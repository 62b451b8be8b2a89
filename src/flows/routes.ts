// Runs of flows as REST: the log of an app's runs, and what people do with one.
import { idOfApp } from '../apps/installed.ts'
import { APP_NAME } from '../apps/routes-schema.ts'
import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { listRoute } from '../ingress/list.ts'
import { type Route, write } from '../ingress/route.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as log from './log-store.ts'
import * as runs from './runs.ts'
import { NotRetryable, Run, RunDetail, RunOver, runListing, runQuery } from './schema.ts'

const ofApp = { names: APP_NAME, noun: 'run', tag: 'Apps' }
const ofRun = { ...ofApp, inner: { name: 'id', idPrefix: 'run', noun: 'run' } } as const

export const routes = (config: Config): Route[] => [
  listRoute(config, runListing, {
    ...ofApp,
    operationId: 'listRuns',
    summary: 'List an app’s runs',
    description: 'Of its flows, the newest first. Kept for 30 days after they ended.',
    query: runQuery,
    item: Run,
    page: async ({ sql, caller: { tenant }, id, query }, page) => log.list(sql, { tenant, id: await appOf(sql, tenant, id) }, query, page),
  }),
  itemRoute({
    ...ofRun,
    path: `${runListing.path}/{id}`,
    operationId: 'getRun',
    summary: 'Read a run',
    description: 'With each step that it has come to: what it was given, and what came of it.',
    response: RunDetail,
    json: async (sql, { caller: { tenant }, id, innerId }) => log.findJson(sql, { tenant, id: await appOf(sql, tenant, id) }, innerId),
  }),
  write({
    ...ofRun,
    method: 'POST',
    path: `${runListing.path}/{id}/retry`,
    operationId: 'retryRun',
    summary: 'Retry a run',
    description:
      'A run that failed goes on at the step that failed: what was done before is not done again, and a skill is called with the same key.',
    status: 200,
    response: RunDetail,
    conflicts: NotRetryable,
    handler: async ({ tx, caller, id, innerId }) => ({ body: await runs.retry(tx, caller, id, innerId) }),
  }),
  write({
    ...ofRun,
    method: 'POST',
    path: `${runListing.path}/{id}/cancel`,
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description: 'It ends before its next step.',
    status: 200,
    response: RunDetail,
    conflicts: [RunOver],
    handler: async ({ tx, caller, id, innerId }) => ({ body: await runs.cancel(tx, caller, id, innerId) }),
  }),
]

async function appOf(sql: Queryable, tenant: string, named: string): Promise<string> {
  const app = await idOfApp(sql, tenant, named)
  if (app === undefined) throw notFound('app')
  return app
}
