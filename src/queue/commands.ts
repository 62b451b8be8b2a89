// Jobs that were set aside because worker after worker ended while it ran them: what an operator may do about them.
import { Argument, type Command } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { show, showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import * as store from './begun-work-store.ts'

const SHOWN = 1_000

export function commands(program: Command): void {
  const job = program.command('job').description('jobs that were set aside because worker after worker ended while it ran them')
  job
    .command('list')
    .description(`those set aside, the latest first, ${SHOWN} at most`)
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const jobs = await withDatabase(({ sql }) => store.listSetAside(sql, SHOWN))
      if (json) return console.log(JSON.stringify({ data: jobs }))
      if (jobs.length === 0) return console.log('No job is set aside.')
      const rows = jobs.map(job => ({ ...job, payload: JSON.stringify(job.payload), 'set aside at': job.set_aside_at.toISOString() }))
      showRows(rows, ['id', 'task', 'payload', 'set aside at'])
    })
  decide(job, 'retry', 'queue it again, with a clean slate', store.retry)
  decide(job, 'drop', 'give it up: it is never run again', store.drop)
}

function decide(job: Command, name: 'retry' | 'drop', description: string, act: typeof store.retry): void {
  job
    .command(name)
    .description(description)
    .addArgument(new Argument('<id>', 'as `job list` shows it'))
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const known = /^\d{1,18}$/.test(id) && (await withDatabase(({ sql }) => act(sql, id)))
      if (!known) throw new OperatorError(`No job with the id ${id} is set aside; bin/shopdesk job list shows those that are.`)
      show({ id, [name === 'retry' ? 'queued' : 'dropped']: true }, json)
    })
}
