// Apps with flows for tests, and what became of their runs.
import type { Installed } from '../../src/apps/installed.ts'
import type { Flow, Manifest, Step } from '../../src/apps/manifest/shape.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { aManifest, installApp } from '../support/apps.ts'

const SCOPES = ['read:contacts', 'read:orders', 'read:records', 'write:records', 'write:contacts', 'write:messages', 'notify:team'] as const

const POINTS = {
  id: 'points',
  name: 'Points',
  fields: [
    { name: 'points', type: 'number' as const, required: true },
    { name: 'note', type: 'string' as const },
  ],
  relations: [{ target: 'builtin:contact' as const, type: 'belongs_to' as const }],
}

let made = 0

/** An app of these flows, each with whatever scopes it needs. */
export function installFlows(
  app: TestApp,
  shop: Pick<TestTenant, 'id'>,
  flows: Partial<Flow>[],
  over: Partial<Manifest> = {},
  wanted: Parameters<typeof installApp>[3] = {},
): Promise<Installed> {
  const all = flows.map((flow, index) => aFlow({ id: `flow-${index}`, ...flow }))
  const scopes = [...SCOPES, ...new Set(all.map(({ trigger }) => `subscribe:${trigger}`))]
  return installApp(app, shop, aManifest({ id: `acme:app-${++made}`, scopes, resources: [POINTS], flows: all, ...over }), wanted)
}

export const aFlow = (over: Partial<Flow> = {}): Flow => ({
  id: 'flow',
  name: 'A flow',
  trigger: 'order.created',
  steps: [{ id: 'tag', type: 'tag_contact', tag: 'buyer' } as Step],
  ...over,
})

export interface RunRow {
  id: string
  flow_id: string
  state: string
  place: number
  code: string | null
  reason: string | null
  depth: number
  due_at: Date | null
}

export const runsOf = ({ sql }: Pick<TestApp, 'sql'>, { id }: { id: string }): Promise<RunRow[]> =>
  sql<RunRow[]>`select id, flow_id, state, place, code, reason, depth, due_at from flow_runs where tenant_id = ${id} order by id`

export const stepsOf = ({ sql }: Pick<TestApp, 'sql'>, run: string) =>
  sql<
    {
      step_id: string
      state: string
      input: string | null
      output: string | null
      code: string | null
      reason: string | null
      attempts: number
    }[]
  >`
    select step_id, state, input, output, code, reason, attempts from flow_steps where run_id = ${run} order by place`
