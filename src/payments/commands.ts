// `shopdesk payment …`: providers, what they told, and the payments themselves. Their secrets are credentials: no key of REST may change them.
import { type Command, Option } from 'commander'
import { sourceCommands } from '../callbacks/commands.ts'
import type { Caller } from '../caller.ts'
import type { CommandContext } from '../cli/command.ts'
import { checked, commaList, listAsked, listOptions } from '../cli/options.ts'
import { type Column, type Json, show, showPage } from '../cli/output.ts'
import type { Wording } from '../cli/refusal.ts'
import { givenSecret, SECRET_FORMS } from '../cli/secret.ts'
import { OperatorError } from '../errors.ts'
import { begin, type Tx } from '../postgres/sql.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand } from '../tenants/tenant-command.ts'
import * as ledger from './ledger/store.ts'
import * as providers from './providers/providers.ts'
import { NewProvider, PROVIDER_KINDS, ProviderChange, providerListing, providerQuery } from './providers/schema.ts'
import * as store from './providers/store.ts'
import { STRIPE_TYPES } from './reading/stripe.ts'
import { listing, query } from './routes.ts'

export function commands(program: Command): void {
  const payment = program.command('payment').description('providers that tell of payments, and what came')
  settingCommands(payment)
  statusCommands(payment)
  sourceCommands(payment, { prefix: 'pay', noun: 'payment provider' })
  listOptions(tenantCommand(payment, 'ledger', 'the payments of a workspace, the newest first'), query)
    .option('--order-id <id>', 'only those of one order, ord_…')
    .action(async ({ tenant, json, ...options }: Options) => {
      const { filters, page } = listAsked(listing, query, options)
      showPage(await inTenant(tenant, ({ sql }) => ledger.list(sql, tenant, filters, page)), page, json, PAYMENTS)
    })
}

const SECRET = `Stripe's signing secret, whsec_…, as it shows it beside the endpoint; several, comma-separated, while one is rolled; ${SECRET_FORMS}`

function settingCommands(payment: Command): void {
  const creating = tenantCommand(payment, 'create', 'let a provider tell of payments')
    .addOption(
      new Option('--provider <kind>', 'Stripe, or any program by the generic format').choices(PROVIDER_KINDS).makeOptionMandatory(),
    )
    .option('--secret <list>', `${SECRET}; a generic provider's is made here and shown once`)
    .option('--name <name>', 'what it is called')
  example(creating, '--provider stripe --secret @secret.txt', '--provider generic').action(
    async ({ tenant, json, ...options }: Options) => {
      const input = checked(NewProvider, inputOf(options), wording)
      const made = await inTenant(
        tenant,
        place => begin(place.sql, tx => providers.create(tx, callerOf(tenant), input, contextOf(place))),
        {
          input,
          wording,
        },
      )
      show({ ...made }, json, value => {
        show(value, false)
        if (made.provider === 'stripe') console.log(`\nAt Stripe, send these events to that address: ${STRIPE_TYPES.join(', ')}`)
      })
    },
  )

  listOptions(tenantCommand(payment, 'list', 'the providers of a workspace, the newest first'), providerQuery).action(
    async ({ tenant, json, ...options }: Options) => {
      const { filters, page } = listAsked(providerListing, providerQuery, options)
      const found = await inTenant(tenant, ({ sql, config }) => store.list(sql, tenant, config.baseUrl, filters, page))
      showPage(found, page, json, PROVIDERS)
    },
  )

  tenantCommand(payment, 'get <id>', 'one provider').action(async (id: string, { tenant, json }: Options) =>
    show(await inTenant(tenant, place => shown(place, tenant, id)), json),
  )

  const updating = tenantCommand(payment, 'update <id>', 'change a provider; what is not named stays')
    .option('--secret <list>', `${SECRET}; those before verify no more`)
    .option('--name <name>', 'what it is called')
  example(updating, 'pay_… --secret @secrets.txt').action(async (id: string, { tenant, json, ...options }: Options) => {
    const given = inputOf(options)
    if (Object.keys(given).length === 0) throw new OperatorError('Nothing is to be changed; give at least one of --secret, --name.')
    const input = checked(ProviderChange, given, wording)
    const changed = await inTenant(tenant, async place => {
      await begin(place.sql, tx => providers.change(tx, callerOf(tenant), id, input, place.keyring))
      return shown(place, tenant, id)
    })
    show(changed, json)
  })
}

function statusCommands(payment: Command): void {
  const change = (name: string, description: string, work: (tx: Tx, caller: Caller, id: string) => Promise<void>) =>
    tenantCommand(payment, `${name} <id>`, description).action(async (id: string, { tenant, json }: Options) => {
      const changed = await inTenant(tenant, async place => {
        await begin(place.sql, tx => work(tx, callerOf(tenant), id))
        return name === 'delete' ? JSON.stringify({ object: 'payment_provider', id, deleted: true }) : shown(place, tenant, id)
      })
      show(changed, json)
    })

  change('enable', 'apply what it tells, and what has waited', providers.enable)
  change('disable', 'let what it tells wait until it is enabled', providers.disable)
  change('delete', 'take nothing from it any more; its payments stay', providers.remove)
}

const shown = async ({ sql, config }: CommandContext & { sql: Parameters<typeof store.findJson>[0] }, tenant: string, id: string) =>
  found('payment provider', await store.findJson(sql, tenant, config.baseUrl, id))

const contextOf = ({ keyring, config }: CommandContext): providers.ProviderContext => ({ keyring, baseUrl: config.baseUrl })

/** In the fields of the schemas; only what was given. */
function inputOf({ provider, secret, name }: Record<string, string | undefined>): Record<string, unknown> {
  return {
    ...(provider !== undefined && { provider }),
    ...(secret !== undefined && { secret: commaList(givenSecret('secret', secret).replaceAll(/\s+/g, ',')) }),
    ...(name !== undefined && { name }),
  }
}

// A secret is not repeated, whatever is wrong with it.
const wording: Wording = {
  sentenceOf: ({ field, code, message }) => {
    if (!field.startsWith('secret')) return undefined
    if (code === 'invalid_format') return '--secret must be a signing secret as Stripe shows it, whsec_… and at least 16 characters.'
    return `--secret ${message}`
  },
}

const PROVIDERS: Column[] = ['id', 'provider', 'status', 'name', 'callback_url']
const PAYMENTS: Column[] = [
  'created_at',
  'id',
  'status',
  'amount',
  ['refunded', row => row['refunded_amount']],
  'currency',
  'provider',
  'reference',
  'order_id',
  ['why', ({ error, dispute }: Json) => (error as Json | null)?.['message'] ?? (dispute && `dispute: ${(dispute as Json)['status']}`)],
]
