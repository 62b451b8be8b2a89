// `shopdesk app run`: for authors who try a flow, and for operators who have one run once more.
import { type Command, Option } from 'commander'
import { installedApp } from '../apps/installed.ts'
import { type Json, show } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import type { EventType } from '../events/emit.ts'
import { exampleOf } from '../events/type-route.ts'
import { begin } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { callerOf, example, inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { dryRun, flowOf, type On, replay, type Trial } from './runs.ts'

interface RunOptions extends TenantOptions {
  event?: string
  example?: true
  dryRun?: true
}

/** Adds the command to those of apps. */
export function runCommand(program: Command, eventTypes: readonly EventType[]): void {
  const app = program.commands.find(each => each.name() === 'app') as Command
  const run = tenantCommand(app, 'run', 'have a flow run once more on a past event, or try it')
    .argument('<app>', 'the app, app_… or the id of its manifest')
    .argument('<flow>', 'the id of the flow')
    .addOption(new Option('--event <id>', 'the event on which it runs, evt_…').conflicts('example'))
    .option('--example', 'run it on the example of its event’s type')
    .option('--dry-run', 'show what each condition meets and what each step is given; nothing is done')
    .action((name: string, flow: string, options: RunOptions) => tryFlow(name, flow, options, eventTypes))
  example(run, 'acme:loyalty award --example --dry-run', 'acme:loyalty award --event evt_…')
}

async function tryFlow(
  name: string,
  flow: string,
  { tenant, event, example: onExample, dryRun: isDry, json }: RunOptions,
  eventTypes: readonly EventType[],
): Promise<void> {
  const done = await inTenant(
    tenant,
    async ({ sql, keyring }) => {
      const caller = callerOf(tenant)
      const context = { keyring, triggers: eventTypes }
      const on = await asked()
      if (isDry) return dryRun(sql, caller, name, flow, on, context)
      return { run_id: await begin(sql, tx => replay(tx, caller, name, flow, on, context)) }

      async function asked(): Promise<On> {
        if (event !== undefined) return { event }
        if (!onExample) throw new OperatorError('Name an event with --event, or try the flow on an example with --example.')
        const app = await installedApp(sql, tenant, name)
        if (!app) throw notFound('app')
        const { trigger } = flowOf(app, flow)
        return { example: exampleOf(eventTypes.find(each => each.name === trigger) as EventType) }
      }
    },
    { input: { event, example: onExample }, wording: { arguments: { flow: 'flow' } } },
  )
  show(done as unknown as Json, json, 'run_id' in done ? undefined : () => tell(done))
}

function tell({ flow_id, event, begins, held_up, conditions, steps }: Trial): void {
  console.log(`${flow_id} on ${event.type} ${event.id}: ${begins ? 'begins' : 'does not begin'}`)
  if (held_up !== null) console.log(`For now it begins on no event: ${held_up}`)
  for (const each of conditions) console.log(`  ${lineOf(each)}`)
  for (const [index, step] of steps.entries()) {
    console.log(`\n${index + 1}. ${step.id} (${step.type})${step.runs ? '' : ': skipped'}`)
    for (const each of step.conditions) console.log(`   ${lineOf(each)}`)
    console.log(`   ${step.error ?? JSON.stringify(step.input)}`)
  }
  if (steps.length > 1) console.log('\nNothing was done. What a step takes from an earlier one is not known yet, and stands here as null.')
}

const lineOf = ({ field, op, value, met, holds }: Trial['conditions'][number]): string =>
  `${holds ? '✔' : '✖'} ${field} ${op} ${JSON.stringify(value)}: ${JSON.stringify(met)}`
