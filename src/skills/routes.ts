// Calls of skills as REST: the log of an app's calls, and the trial of a skill.

import { idOfApp } from '../apps/installed.ts'
import { APP_NAME } from '../apps/routes-schema.ts'
import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { listRoute } from '../ingress/list.ts'
import { action, type Route } from '../ingress/route.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as log from './log-store.ts'
import { Call, CallDetail, callListing, callQuery, Trial, Tried } from './schema.ts'
import type { Trials } from './trials.ts'

const ofApp = { names: APP_NAME, tag: 'Apps' }

/** @param trials of this process */
export const routes = (config: Config, { trials }: { trials: Trials }): Route[] => [
  listRoute(config, callListing, {
    ...ofApp,
    operationId: 'listSkillCalls',
    summary: 'List an app’s calls',
    description: 'The newest first. Kept for 30 days.',
    query: callQuery,
    item: Call,
    page: async ({ sql, caller: { tenant }, id, query }, page) => log.listCalls(sql, tenant, await appOf(sql, tenant, id), query, page),
  }),
  itemRoute({
    ...ofApp,
    path: `${callListing.path}/{id}`,
    inner: { name: 'id', idPrefix: 'call', noun: 'call' },
    noun: 'call',
    operationId: 'getSkillCall',
    summary: 'Read a call',
    description: 'With what was asked and what was answered.',
    response: CallDetail,
    json: async (sql, { caller: { tenant }, id, innerId }) => log.findCall(sql, tenant, await appOf(sql, tenant, id), innerId),
  }),
  action({
    status: 200,
    path: '/api/platform/skills/test',
    operationId: 'testSkill',
    tag: 'Apps',
    summary: 'Test a skill',
    description:
      'Calls the live service, as the assistant and flows do, and shows what was asked and what was answered. An installed skill is called with its app’s credential, one that is written here without any. What the app refuses is `ok: false`.',
    looksFor: true,
    body: Trial,
    example: {
      skill: {
        id: 'balance',
        name: 'Balance',
        description: 'Tells how many points a customer has.',
        endpoint: 'https://loyalty.example/balance',
        inputSchema: { type: 'object', required: ['customer'] },
      },
      arguments: { customer: 'con_01jw3k5m7n8p9q0r1s2t3v4w5x' },
    },
    response: Tried,
    handler: async ({ caller, body, leaving }) => ({ body: JSON.stringify(await trials.test(caller.tenant, body, leaving)) }),
  }),
]

async function appOf(sql: Queryable, tenant: string, named: string): Promise<string> {
  const app = await idOfApp(sql, tenant, named)
  if (app === undefined) throw notFound('app')
  return app
}
