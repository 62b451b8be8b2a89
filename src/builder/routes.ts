import type { TriggerType } from '../apps/manifest/flow-shapes.ts'
import type { Config } from '../config.ts'
import { action, type Route } from '../ingress/route.ts'
import { MANIFEST_BYTES } from '../limits/apps.ts'
import { DRAFTS_WAITING, MANIFEST_VALUES_MAX, SANDBOX_CODE_BYTES } from '../limits/builder.ts'
import { createPlaces } from '../places.ts'
import { invalid } from '../problems.ts'
import { createTurns } from '../turns.ts'
import { Draft, NewDraft, TooManyDrafts } from './generate/schema.ts'
import type { Outcome } from './sandbox/outcome.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { NewScript, ScriptRun } from './sandbox/schema.ts'

/** @param triggers the types of events that flows may begin with */
export const routes = (
  { outbound }: Config,
  triggers: readonly TriggerType[],
  { sandbox }: { sandbox: Pick<Sandbox, 'execute'> },
): Route[] => [
  action({
    path: '/api/platform/sandbox/execute',
    operationId: 'executeScript',
    tag: 'App builder',
    summary: 'Run a script in a sandbox',
    description: 'A fault of the script is an answer too. A script of a workspace waits for the one before it; two may wait.',
    status: 200,
    body: NewScript,
    response: ScriptRun,
    example: { code: 'input.prices.reduce((sum, price) => sum + price, 0)', input: { prices: [2, 3] } },
    handler: async ({ caller, body }) => {
      requireBytes('code', body.code, SANDBOX_CODE_BYTES)
      return { body: runJson(await sandbox.execute(caller.tenant, body)) }
    },
  }),
  action({
    path: '/api/platform/copilot/generate',
    operationId: 'generateManifest',
    tag: 'App builder',
    summary: 'Draft a manifest',
    description: 'From a description, or by changing a given manifest as the description says. Nothing is installed.',
    status: 200,
    body: NewDraft,
    bodyValues: MANIFEST_VALUES_MAX,
    response: Draft,
    conflicts: [TooManyDrafts],
    example: {
      description: 'Keep warranties with a serial number and a purchase date under each product. When an order is paid, notify the team.',
    },
    handler: async ({ caller, leaving, body: { description, manifest } }) => {
      if (manifest !== undefined) requireBytes('manifest', JSON.stringify(manifest), MANIFEST_BYTES)
      const { generate } = await import('./generate/generate.ts')
      const draft = async () => JSON.stringify(await generate(description, manifest, { triggers, outbound }))
      return { body: await drafting(caller.tenant, draft, leaving) }
    },
  }),
]

const DRAFTS = { code: TooManyDrafts.code, what: 'drafts', instead: 'ask for one after another' }

/** One draft at a time, workspaces by turns: it is work of the processor, and many that have begun would only take memory together. */
const drafting = createTurns(createPlaces({ ...DRAFTS, all: 1 }), createPlaces({ ...DRAFTS, all: DRAFTS_WAITING }))

function requireBytes(field: string, text: string, most: number): void {
  if (Buffer.byteLength(text) > most) throw invalid({ field, code: 'too_long', message: `must have at most ${most} bytes.` })
}

// The result is spliced in as it is, for it may be nested deeper than a program here would read.
function runJson({ json, fault, logs, logsTruncated, durationMs }: Outcome): string {
  const rest = { logs, logs_truncated: logsTruncated, error: fault ?? null, duration_ms: durationMs }
  return `{"ok":${fault === undefined},"result":${json ?? 'null'},${JSON.stringify(rest).slice(1)}`
}
