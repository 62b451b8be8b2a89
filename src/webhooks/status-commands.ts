// Pausing, disabling and enabling webhooks, and rotating their secrets, from the command line.
import { type Command, Option } from 'commander'
import type { Caller } from '../caller.ts'
import type { Opened } from '../command.ts'
import { withMembers } from '../ingress/route.ts'
import { begin, type Tx } from '../postgres/sql.ts'
import { checked } from './command-input.ts'
import { callerOf, example, inTenant, type Options, tenantCommand } from './command-line.ts'
import { show } from './command-output.ts'
import { Enabling } from './schema.ts'
import * as status from './status.ts'
import * as webhooks from './webhooks.ts'

export function statusCommands(webhook: Command): void {
  /** A command that changes one webhook, in one transaction, and shows what it answers. */
  const change = (name: string, description: string, work: (tx: Tx, caller: Caller, id: string, place: Opened) => Promise<string>) =>
    tenantCommand(webhook, `${name} <id>`, description).action(async (id: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, place => begin(place.sql, tx => work(tx, callerOf(tenant), id, place))), json),
    )

  change('pause', 'let deliveries wait until it is resumed', status.pause)
  change('resume', 'send what has waited while it was paused', status.resume)
  change('disable', 'make no deliveries until it is enabled; what is pending is kept', status.disable)
  const enabling = tenantCommand(webhook, 'enable <id>', 'enable a webhook whose receiver was mended; its failures are forgotten')
    .addOption(new Option('--pending <fate>', 'what was waiting when it was disabled').choices(['send', 'drop']).default('send'))
    .addOption(new Option('--missed <fate>', 'what happened while it was disabled').choices(['send', 'drop']).default('drop'))
  example(enabling, 'enable whk_… --missed send').action(async (id: string, { tenant, json, pending, missed }: Options) => {
    const input = checked(Enabling, { pending, missed })
    show(await inTenant(tenant, ({ sql }) => begin(sql, tx => status.enable(tx, callerOf(tenant), id, input))), json)
  })

  change('rotate-secret', 'make a new secret, shown this once; the old one signs too for 24 hours', async (tx, caller, id, { keyring }) => {
    const { secret, json } = await webhooks.rotateSecret(tx, caller, id, { keyring })
    return withMembers(json, { secret })
  })
  change('confirm-secret', 'your receivers have the new secret: let the old one sign no more', webhooks.confirmSecret)
}
