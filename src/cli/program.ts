// What may be typed after `shopdesk`: the processes, and each noun's commands.
// A process is imported when it is started: web needs neither the worker's modules nor the memory for them.
import { Command, Help } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { loadConfig } from '../config.ts'
import { migrate } from '../postgres/migrate.ts'
import { reportReady, runUntilSignal } from '../process.ts'
import { setReactions } from '../reactions.ts'
import { withCommandContext } from './command.ts'
import { addNouns } from './nouns.ts'

/** Commands that are no noun's. */
const OWN = ['start', 'web', 'worker', 'migrate', 'doctor', 'schema', 'client', '--version', '-V']

/** @param asked the first word that was typed: only its noun is imported */
export async function programFor(asked: string): Promise<Command> {
  // Verbs emit here too: the demo shop's and the commands'.
  setReactions()
  const program = new Command('shopdesk').description(
    'Shopdesk: a multi-tenant e-commerce back office. Settings are environment variables: see README.md.',
  )
  // Every command has options. To say so would leave no room for what a command does: then Commander folds no lines.
  const { subcommandTerm } = Help.prototype
  program.configureHelp({ subcommandTerm: command => subcommandTerm(command).replace(' [options]', '') })
  program.version(packageJson.version, '-V, --version', 'print the version')
  program.configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')} (add --help for what there is)\n`) })

  program.commandsGroup('The service:').helpCommand('help [command]', 'print the help of a command')
  program
    .command('start')
    .description('run everything as one process tree: database (unless DATABASE_URL is set), migrations, web, worker')
    .action(async () => (await import('../start.ts')).start(loadConfig()))

  program
    .command('web')
    .description('run one web process')
    .action(() =>
      withCommandContext(context =>
        serve(async interrupted => {
          const web = await (await import('../web.ts')).startWeb({ ...context, interrupted })
          reportReady({ ready: web.address })
          if (!process.send) console.log(`Shopdesk web is listening on ${web.address}`)
          void web.warmUp()
          return web
        }),
      ).then(leave),
    )

  program
    .command('worker')
    .description('run one worker process')
    .action(() =>
      withCommandContext(context =>
        serve(async interrupted => {
          const worker = await (await import('../worker.ts')).startWorker({ ...context, interrupted })
          reportReady({ ready: true })
          if (!process.send) console.log('Shopdesk worker is running')
          void worker.warmUp()
          return worker
        }),
      ).then(leave),
    )

  program
    .command('migrate')
    .description("bring the database to this program's schema")
    .option('--service-role <name>', 'give this role of the database the rights that web, worker and commands need, and no more')
    .action(({ serviceRole }: { serviceRole?: string }) =>
      withCommandContext(async ({ ownerUrl }) => {
        const applied = await migrate(ownerUrl, serviceRole)
        console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
      }),
    )

  program
    .command('doctor')
    .description('check database, migrations, queue, clocks, secrets and outbound access, and say what to do')
    .action(async () => (await import('../doctor.ts')).doctor())

  if (!OWN.includes(asked)) await addNouns(program, asked)

  program.commandsGroup('For developers of Shopdesk:')
  program
    .command('schema')
    .description('write sql/schema.txt from an empty, migrated database')
    .option('--check', 'only compare, and fail on a difference')
    .action(async ({ check }: { check?: boolean }) => {
      const dump = await import('../postgres/schema-dump.ts')
      return check ? dump.checkSchema() : dump.writeSchema()
    })

  program
    .command('client')
    .description('write docs/client/schema.d.ts, the types of the TypeScript client, from the OpenAPI document')
    .option('--check', 'only compare, and fail on a difference')
    .action(async ({ check }: { check?: boolean }) => {
      const client = await import('../client-types.ts')
      return check ? client.checkTypes() : client.writeTypes()
    })
  return program
}

interface Served {
  /** Resolves with the reason why it cannot go on. */
  broken?: Promise<string>
  close(): Promise<void>
}

/**
 * Runs until a signal, then stops. A signal during the start ends the wait for the database, or stops the process as soon as it is up. A process
 * that cannot go on stops as well, and ends with 1, for its supervisor to start another.
 */
async function serve(begin: (interrupted: AbortSignal) => Promise<Served>): Promise<void> {
  const interruption = new AbortController()
  const started = begin(interruption.signal)
  const stopped = runUntilSignal(async () => {
    interruption.abort()
    const served = await started.catch(() => undefined)
    await served?.close()
  })
  const served = await started.catch(error => {
    if (!interruption.signal.aborted) throw error
  })
  void served?.broken?.then(why => {
    console.error(`The process ends, for a new one to begin: ${why}, though the database is well.`)
    process.exitCode = 1
    // As a supervisor would stop it: with the same time to end, and killed after it.
    process.kill(process.pid, 'SIGTERM')
  })
  await stopped
}

// Everything is closed. A queue's pool that ended in an outage leaves timers of minutes, which must not keep the process alive.
function leave(): never {
  process.exit()
}
