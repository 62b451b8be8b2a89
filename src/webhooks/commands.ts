import type { Command } from 'commander'
import { commaList, jsonOption, print, withDatabase } from '../command.ts'
import { loadConfig, SettingError } from '../config.ts'
import type { EventType } from '../events/emit.ts'
import { check } from '../ingress/validate.ts'
import { begin } from '../postgres/sql.ts'
import { runUntilSignal } from '../process.ts'
import { requireTenant } from '../tenants/tenants.ts'
import { type Received, startReceiver } from './listen.ts'
import { webhookShapes } from './schema.ts'
import { toolCommands } from './tool-commands.ts'
import { create } from './webhooks.ts'

/** @param eventTypes all there are */
export function commands(program: Command, eventTypes: EventType[]): void {
  const eventNames = eventTypes.filter(type => type.webhook).map(type => type.name)
  const webhook = program.command('webhook').description('where a workspace wants its events sent')
  webhook
    .command('create')
    .description('make a webhook; its secret is shown this once')
    .requiredOption('--tenant <id>', 'the workspace')
    .requiredOption('--url <url>', 'an https address (http to loopback with OUTBOUND_ALLOW_PRIVATE=true)')
    .requiredOption('--events <list>', `comma-separated: ${eventNames.join(', ')}`)
    .addOption(jsonOption())
    .action(async ({ tenant, url, events, json }: { tenant: string; url: string; events: string; json?: boolean }) => {
      const input = { url, events: commaList(events) }
      const [wrong] = check(webhookShapes(eventNames).NewWebhook, input)
      if (wrong) throw new SettingError(`--${wrong.field.replace(/\[.*/, '')} ${wrong.message}`)
      const made = await withDatabase(async ({ sql, keyring, config }) => {
        await requireTenant(sql, tenant)
        return begin(sql, tx => create(tx, { tenant, actor: { type: 'cli' } }, input, { keyring, outbound: config.outbound }))
      })
      print({ id: made.id, secret: made.secret }, json)
    })

  toolCommands(webhook, eventTypes)

  program
    .command('listen')
    .description('a local receiver that verifies signatures and prints events')
    .option('--port <port>', 'where to listen on loopback', '4000')
    .option('--secret <secret>', 'the webhook’s secret; without one, signatures are shown but not verified')
    .action(async ({ port, secret }: { port: string; secret?: string }) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new SettingError(`--port is ${JSON.stringify(port)}; it must be a number up to 65535.`)
      // Read for its errors alone: a wrong setting should be told here too.
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
