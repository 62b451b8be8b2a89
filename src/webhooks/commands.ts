// `shopdesk webhook …` and `shopdesk listen`: what a tenant's tools do over REST, by the same verbs.
import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import type { EventType } from '../events/emit.ts'
import { runUntilSignal } from '../process.ts'
import { endpointCommands } from './endpoints/commands.ts'
import { typeCommand } from './event-type-command.ts'
import { type Received, startReceiver } from './listen.ts'
import { logCommands } from './log/commands.ts'
import { recoveryCommands } from './recovery/commands.ts'

/** @param eventTypes all there are */
export function commands(program: Command, eventTypes: EventType[]): void {
  const subscribable = eventTypes.filter(type => type.webhook)
  const eventNames = subscribable.map(type => type.name)
  const webhook = program.command('webhook').description('where a workspace wants its events sent')
  endpointCommands(webhook, eventNames)
  logCommands(webhook, eventNames)
  recoveryCommands(webhook, subscribable)
  typeCommand(webhook, eventTypes)

  program
    .command('listen')
    .description('a local receiver that verifies signatures and prints events')
    .option('--port <port>', 'where to listen on loopback', '4000')
    .option('--secret <secret>', 'the webhook’s secret; without one, signatures are shown but not verified')
    .action(async ({ port, secret }: { port: string; secret?: string }) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new OperatorError(`--port is ${JSON.stringify(port)}; it must be a number up to 65535.`)
      // Loaded only for its errors: a wrong setting is reported here too.
      loadConfig()
      const receiver = await startReceiver({ port: Number(port), secret: () => secret, onEvent: event => console.log(describe(event)) })
      console.log(`Waiting for events at ${receiver.url}${secret ? '' : ' (no --secret: signatures are not verified)'}`)
      await runUntilSignal(receiver.close)
    })
}

/** One received event, for a terminal. */
export function describe({ type, deliveryId, verified, body }: Received): string {
  const seal = verified === undefined ? 'not verified' : verified ? 'signature verified' : 'SIGNATURE WRONG'
  return `${new Date().toISOString()}  ${type}  ${seal}  ${deliveryId}\n${indented(body)}`
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).replaceAll(/^/gm, '  ')
  } catch {
    return `  ${body}`
  }
}
