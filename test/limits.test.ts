// The limits that the specification names, in its numbers: other tests go by the constants, and so would hold whatever these were.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as apps from '../src/limits/apps.ts'
import * as bodies from '../src/limits/bodies.ts'
import * as builder from '../src/limits/builder.ts'
import * as conversations from '../src/limits/conversations.ts'
import * as flows from '../src/limits/flows.ts'
import * as knowledge from '../src/limits/knowledge.ts'
import * as lists from '../src/limits/lists.ts'
import * as mcp from '../src/limits/mcp.ts'
import * as notifications from '../src/limits/notifications.ts'
import * as outbound from '../src/limits/outbound.ts'
import * as queue from '../src/limits/queue.ts'
import * as rate from '../src/limits/rate.ts'
import * as records from '../src/limits/records.ts'
import * as requests from '../src/limits/requests.ts'
import * as skills from '../src/limits/skills.ts'
import * as webhooks from '../src/limits/webhooks.ts'

const KB = 1024

const LIMITS: [what: string, module: Record<string, unknown>, expected: Record<string, unknown>][] = [
  ['pages of lists', lists, { PAGE_MAX: 100, PAGE_DEFAULT: 50 }],
  ['pages of conversations, and a reply that is sent again', conversations, { CONVERSATIONS_PAGE_DEFAULT: 20, DUPLICATE_MS: 60_000 }],
  [
    'requests a minute',
    rate,
    {
      PLANS: {
        free: { read: 30, write: 5 },
        starter: { read: 60, write: 15 },
        professional: { read: 120, write: 30 },
        business: { read: 300, write: 60 },
        enterprise: { read: 600, write: 120 },
      },
      RATE_WINDOW_SECONDS: 60,
      ANONYMOUS_PER_MINUTE: 600,
    },
  ],
  ['an Idempotency-Key', requests, { IDEMPOTENCY_HOURS: 24 }],
  ['JSON', bodies, { JSON_DEPTH: 32 }],
  ['the protocol of agents', mcp, { MCP_VERSION: '2025-03-26' }],
  [
    'deliveries',
    webhooks,
    { DELIVERY_TIMEOUT_MS: 10_000, DELIVERY_SCHEDULE_SECONDS: [0, 8, 60, 300, 1_800], FAILURES_TO_DISABLE: 5, ENDPOINT_CAP: 8 },
  ],
  ['signatures, and what logs keep of an answer', outbound, { SIGNATURE_AGE_SECONDS: 300, RESPONSE_LOG_BYTES: 16 * KB }],
  ['leases', queue, { LEASE_SECONDS: 25 }],
  [
    'apps and manifests',
    apps,
    {
      APPS_MAX: 50,
      UNINSTALLED_DAYS: 30,
      MANIFEST_BYTES: 512 * KB,
      MANIFEST_LISTS: {
        ...apps.MANIFEST_LISTS,
        ...{ resources: 20, fields: 40, skills: 30, views: 20, knowledge: 100, config: 50, flows: 20, steps: 10 },
      },
    },
  ],
  ['knowledge', knowledge, { KNOWLEDGE_BYTES: 64 * KB }],
  ['records', records, { FIELD_NAME_CHARS: 63, RECORD_STRING_CHARS: 4_000, RECORDS_FOR_ASSISTANT_MAX: 10 }],
  [
    'skills',
    skills,
    {
      APP_SCHEMA_BYTES: 64 * KB,
      APP_SCHEMA_PARTS: 2_000,
      APP_SCHEMA_UNIQUE_ITEMS: 1_000,
      SKILL_TIMEOUT_MS: 30_000,
      SKILL_TOTAL_MS: 60_000,
      SKILL_ANSWER_BYTES: 256 * KB,
      SKILL_CALLS_PER_TURN: 8,
      SKILL_CALLS_OF_ONE: 3,
      SKILL_CALLS_AT_ONCE: 8,
      SKILL_SLOW_MS: 250,
      SKILL_BREAKER_CALLS: 5,
      SKILL_SPARED_SECONDS: 30,
      SKILL_SPARED_MAX_SECONDS: 300,
      SKILL_TRIALS_AT_ONCE: 16,
      SKILL_TRIALS_OF_TENANT: 4,
    },
  ],
  [
    'flows',
    flows,
    {
      WAIT_MINUTES_MAX: 43_200,
      FLOW_DEPTH_MAX: 3,
      RUNS_AT_ONCE: 8,
      RUN_MS: 600_000,
      RENDERED_STRING_BYTES: 16 * KB,
      RENDERED_BYTES: 64 * KB,
    },
  ],
  ['warnings that are mailed', notifications, { WARNING_MAILS_AN_HOUR: 20 }],
  [
    'the sandbox, and descriptions of apps',
    builder,
    {
      SANDBOX_CODE_BYTES: 64 * KB,
      SANDBOX_RESULT_BYTES: 256 * KB,
      SANDBOX_LOG_LINES: 1_000,
      SANDBOX_LOG_BYTES: 64 * KB,
      SANDBOX_MS: 2_000,
      SANDBOX_MS_MAX: 5_000,
      SANDBOX_GRACE_MS: 250,
      SANDBOX_MEMORY_BYTES: 64 * KB * KB,
      SANDBOX_STACK_BYTES: 512 * KB,
      SANDBOX_AT_ONCE: 2,
      SANDBOX_WAITING: 8,
      SANDBOX_WAIT_MS: 10_000,
      SANDBOX_WAITING_OF_TENANT: 2,
      SANDBOX_SPARE_MS: 60_000,
      DESCRIPTION_CHARS: 8_000,
    },
  ],
]

for (const [what, module, expected] of LIMITS)
  test(`of ${what} the limits are those of the specification`, () => {
    const names = Object.keys(expected)
    assert.deepEqual(Object.fromEntries(names.map(name => [name, module[name]])), expected)
  })
