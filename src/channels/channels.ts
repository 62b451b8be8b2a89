// The verbs of a channel's owner. What a platform says is asked before the transaction that writes, and what it is told comes after it.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { windowMoved } from '../conversations/window.ts'
import { CHANNELS_PER_WORKSPACE } from '../limits/channels.ts'
import { audit } from '../postgres/audit.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { type FieldError, invalid, notFound, Problem } from '../problems.ts'
import { encrypt } from '../secrets.ts'
import { quotaReached } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import * as accounts from './accounts/accounts.ts'
import { open, previousBinding, seal } from './accounts/credentials.ts'
import { errorsOfChange, errorsOfNew } from './accounts/rules.ts'
import type { ChannelChange, NewChannel } from './accounts/schema.ts'
import type { Settings } from './accounts/settings.ts'
import * as store from './accounts/store.ts'
import { type ChannelContext, type Joining, type Registered, register, whoIs } from './joining.ts'
import { known, shown } from './known.ts'
import type { PlatformName } from './platforms/names.ts'
import type { Credentials } from './platforms/platform.ts'
import { wakeAfter } from './sending/wake.ts'

/** A channel that was made: what is shown this once, and what is left to a person. */
export interface Created extends Registered {
  id: string
  /** What was made here, or is the platform's to repeat, and is never shown again. */
  made: Pick<Credentials, 'secret' | 'verify_token'>
}

/**
 * @param check whether the platform is asked who the account is
 * @throws {Problem} 422 for what the platform does not take, or refuses; 409 for an account that is a channel already
 */
export async function create(
  sql: Sql,
  caller: Caller,
  input: NewChannel,
  check: 'ask' | 'trust',
  context: ChannelContext,
): Promise<Created> {
  refuse(errorsOfNew(input, context.outbound))
  const { platform } = input
  const made = madeFor(input)
  const joining: Joining = {
    platform,
    account: input.account ?? null,
    settings: settingsOf(input),
    credentials: { ...credentialsOf(input), ...made },
  }
  const account = check === 'ask' ? await whoIs(caller.tenant, joining, context) : trusted(joining)
  const name = input.name ?? account?.name ?? NAMES[platform]
  const id = await begin(sql, tx => insert(tx, caller, { ...joining, account, name }, context))
  return { id, made, ...(await register(caller.tenant, id, { ...joining, account: account?.id ?? joining.account }, context, made)) }
}

const NAMES: Record<PlatformName, string> = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  facebook: 'Messenger',
  instagram: 'Instagram',
  api: 'Messenger by API',
  web: 'Web chat',
}

type Named = Omit<Joining, 'account'> & { account: { id: string; name: string | null } | undefined; name: string }

async function insert(tx: Tx, caller: Caller, { account, ...input }: Named, { keyring }: ChannelContext): Promise<string> {
  await lockTenant(tx, caller.tenant)
  const count = await store.countOf(tx, caller.tenant)
  if (count >= CHANNELS_PER_WORKSPACE)
    throw quotaReached(
      `This workspace has ${count} channels, and may have ${CHANNELS_PER_WORKSPACE}; delete one first.`,
      CHANNELS_PER_WORKSPACE,
    )
  const id = await accounts.add(tx, caller, { ...input, ...(account && { account }) }, keyring).catch(error => {
    throw violatedConstraint(error) === 'channels_account' ? taken(account?.id) : error
  })
  return id
}

const taken = (account: string | undefined): Problem =>
  new Problem('conflict', `The account ${account} is a channel of this workspace already; change that one with channel update.`, {
    code: 'duplicate_account',
  })

/** What is not asked: a bot's token opens with its id. */
function trusted({ platform, account, credentials }: Joining): { id: string; name: null } | undefined {
  const id = platform === 'telegram' ? /^(\d+):/.exec(credentials.token ?? '')?.[1] : account
  return id ? { id, name: null } : undefined
}

function madeFor({ platform, verify_token }: NewChannel): Pick<Credentials, 'secret' | 'verify_token'> {
  if (platform === 'telegram' || platform === 'api' || platform === 'web') return { secret: accounts.newSecret() }
  return { verify_token: verify_token ?? accounts.newSecret().slice('whsec_'.length, 'whsec_'.length + 32) }
}

function credentialsOf({ token, app_secret, verify_token }: ChannelChange): Credentials {
  return {
    ...(token !== undefined && { token }),
    ...(app_secret !== undefined && { app_secret }),
    ...(verify_token !== undefined && { verify_token }),
  }
}

const SETTINGS = [
  ...['reopen_hours', 'max_per_second', 'api_url', 'read_receipts', 'human_agent', 'waba', 'send_url', 'origins'],
  ...['title', 'greeting', 'color', 'away_text', 'hours', 'time_zone'],
] as (keyof Settings)[]

/** An address is kept without a slash at its end. */
function settingsOf(input: ChannelChange, before: Partial<Settings> = {}): Partial<Settings> {
  const given = Object.fromEntries(SETTINGS.filter(each => input[each] !== undefined).map(each => [each, input[each]]))
  const { max_per_second: pace, api_url, ...others } = { ...before, ...given } as Partial<Settings> & { max_per_second?: number | null }
  return { ...others, ...(pace != null && { max_per_second: pace }), ...(api_url && { api_url: api_url.replace(/\/+$/, '') }) }
}

/**
 * Changes what is given. Where its account, its credentials or the address of its API change, the platform is asked who the account is, and a failing channel
 * is tried again at once. A channel whose account changes keeps its conversations: a number is moved to another account of its platform, or was mistyped.
 * @throws {Problem} 404, 422; 409 for an account that is another channel
 */
export async function change(
  sql: Sql,
  caller: Caller,
  id: string,
  input: ChannelChange,
  check: 'ask' | 'trust',
  context: ChannelContext,
): Promise<string> {
  const before = await known(sql, caller, id)
  refuse(errorsOfChange(before.platform, input, context.outbound))
  const credentials = { ...open(context.keyring, caller.tenant, id, before.credentials), ...credentialsOf(input) }
  const joining: Joining = {
    platform: before.platform,
    account: input.account ?? before.account_id,
    settings: settingsOf(input, before.settings),
    credentials,
  }
  const reached = input.token !== undefined || input.api_url !== undefined || input.account !== undefined
  const account = check === 'ask' && reached ? await whoIs(caller.tenant, joining, context) : undefined
  if (account && joining.account !== null && account.id !== joining.account)
    throw invalid({
      field: 'token',
      code: 'another_account',
      message: `is of ${account.name ?? account.id}; this channel is ${input.account ?? before.account_name ?? before.account_id}. Create another channel for it.`,
    })
  const isMoved = input.account !== undefined && input.account !== before.account_id
  await begin(sql, async tx => {
    const current = await store.lock(tx, caller.tenant, id)
    if (!current) throw notFound('channel')
    // What was read before the platform was asked may have been changed meanwhile: only what is given is written over it.
    const kept = { ...open(context.keyring, caller.tenant, id, current.credentials), ...credentialsOf(input) }
    await store
      .update(tx, caller.tenant, id, {
        ...(input.name !== undefined && { name: input.name }),
        ...(isMoved && {
          account_id: joining.account,
          account_name: null,
          former_account_id: current.account_id,
          moved_at: new Date(now()),
        }),
        ...(account?.name && { account_name: account.name }),
        ...(input.token !== undefined && { token_at: new Date(now()) }),
        settings: settingsOf(input, current.settings) as Settings,
        credentials: seal(context.keyring, caller.tenant, id, kept),
      })
      .catch(error => {
        throw violatedConstraint(error) === 'channels_account' ? taken(input.account) : error
      })
    if (reached) await store.probeNow(tx, caller.tenant, id)
    wakeAfter(tx, [{ tenant: caller.tenant, id }])
    await audit(tx, caller, 'channel.update', id, { fields: Object.keys(input) })
  })
  // Conversations are locked before their channel, so this is a transaction of its own.
  if (input.human_agent !== undefined) await begin(sql, tx => windowMoved(tx, caller.tenant, id))
  return shown(sql, caller, id, context)
}

/**
 * Makes a new secret; the old one verifies for 24 hours more.
 * @throws {Problem} 404; 409 of a platform whose secret is not made here
 */
export async function rotateSecret(sql: Sql, caller: Caller, id: string, { keyring }: ChannelContext): Promise<string> {
  return begin(sql, async tx => {
    const current = await store.lock(tx, caller.tenant, id)
    if (!current) throw notFound('channel')
    if (current.platform !== 'api' && current.platform !== 'web')
      throw new Problem('conflict', `The secret of ${current.platform} is not rotated here: rotate-secret is for api and web.`, {
        code: 'not_applicable',
      })
    const credentials = open(keyring, caller.tenant, id, current.credentials)
    const secret = accounts.newSecret()
    await store.rotate(tx, caller.tenant, id, {
      credentials: seal(keyring, caller.tenant, id, { ...credentials, secret }),
      previous: encrypt(keyring, credentials.secret ?? '', previousBinding(caller.tenant, id)),
    })
    await audit(tx, caller, 'channel.rotate_secret', id)
    return secret
  })
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors)
}
