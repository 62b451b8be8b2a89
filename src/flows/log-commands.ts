// `shopdesk app runs | retry | cancel`: what flows did, and what can be done about a run.
import type { Command } from 'commander'
import { following } from '../apps/following.ts'
import { idOfApp } from '../apps/installed.ts'
import type { CommandContext } from '../cli/command.ts'
import { listAsked, listOptions } from '../cli/options.ts'
import { type Column, type Json, show, showPage } from '../cli/output.ts'
import { printable } from '../cli/printable.ts'
import { watch } from '../cli/watch.ts'
import { APP_FOLLOW_MS } from '../limits/apps.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { callerOf, example, found, inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import * as log from './log-store.ts'
import { cancel, retry } from './runs.ts'
import { runListing, runQuery } from './schema.ts'

/** Adds the commands to those of apps. */
export function logCommands(program: Command): void {
  const app = program.commands.find(each => each.name() === 'app') as Command
  const runs = listOptions(tenantCommand(app, 'runs', 'the runs of an app’s flows, the newest first; one of them with its steps'), runQuery)
    .argument('<app>', 'app_…, or the id of its manifest')
    .argument('[run]', 'run_…: that one alone, with what each step was given and what came of it')
    .option('--failed', 'only those that failed')
    .option('--follow', 'tell of runs as they go on, until Ctrl-C')
    .action((name: string, run: string | undefined, options: RunsOptions) => showRuns(name, run, options))
  example(runs, 'acme:loyalty --failed', 'acme:loyalty run_…', 'acme:loyalty --follow')
  const deeds = {
    retry: { work: retry, description: 'let a run that failed go on at the step that failed' },
    cancel: { work: cancel, description: 'end a run before its next step' },
  }
  for (const [name, { work, description }] of Object.entries(deeds))
    tenantCommand(app, `${name} <run>`, description).action(async (run: string, { tenant, json }: TenantOptions) => {
      const done = await inTenant(tenant, async ({ sql }) => {
        const of = await log.appOfRun(sql, tenant, run)
        if (of === undefined) throw notFound('run')
        return begin(sql, tx => work(tx, callerOf(tenant), of, run))
      })
      show(done, json, tellRun)
    })
}

/** Beside those of the list. */
interface RunsOptions extends TenantOptions {
  failed?: true
  follow?: true
}

async function showRuns(name: string, run: string | undefined, { tenant, json, failed, follow, ...options }: RunsOptions): Promise<void> {
  await inTenant(tenant, async ({ sql }: CommandContext & { sql: Sql }) => {
    const id = await idOfApp(sql, tenant, name)
    if (id === undefined) throw notFound('app')
    const app = { tenant, id }
    if (follow) return followRuns(sql, app)
    if (run !== undefined) return show(found('run', await log.findJson(sql, app, run)), json, tellRun)
    const { filters, page } = listAsked(runListing, runQuery, { ...options, ...(failed && { status: 'failed' }) })
    showPage(await log.list(sql, app, filters, page), page, json, COLUMNS)
  })
}

async function followRuns(sql: Sql, app: { tenant: string; id: string }): Promise<void> {
  const news = following(sql, new Date(), ['runs'])
  await watch(async () => {
    for (const line of await news(app)) console.log(line)
    return false
  }, APP_FOLLOW_MS)
}

interface Told {
  id: string
  flow_id: string
  status: string
  reason: string | null
  event: { id: string; type: string }
  steps: { id: string; status: string; input: unknown; output: unknown; reason: string | null; error: { message: string } | null }[]
}

function tellRun(value: Json): void {
  const { id, flow_id, status, reason, event, steps } = value as unknown as Told
  console.log(printable(`${id}: ${flow_id} on ${event.type} ${event.id}, ${status}${reason ? `: ${reason}` : ''}`))
  for (const step of steps) {
    console.log(`\n${step.id}: ${step.status}`)
    console.log(printable(`  given  ${JSON.stringify(step.input)}`))
    const words = step.error?.message ?? step.reason ?? (step.output === null ? undefined : JSON.stringify(step.output))
    if (words) console.log(printable(`  then   ${words}`))
  }
}

const COLUMNS: Column[] = ['created_at', 'id', 'flow_id', ['event', ({ event }: Json) => (event as Json)['type']], 'status', 'code']
