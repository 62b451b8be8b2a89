// A channel and its platform: who the account is, and where its callbacks go.

import type { Policy } from '../outbound/address.ts'
import type { OutboundClient } from '../outbound/client.ts'
import { invalid } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import { open } from './accounts/credentials.ts'
import type { Settings } from './accounts/settings.ts'
import { API_URLS, type Shown } from './accounts/shown.ts'
import type { Sealed } from './accounts/store.ts'
import type { Told } from './platforms/ask.ts'
import type { Callback, Identity, Joined, Profile } from './platforms/connector.ts'
import { CONNECTORS } from './platforms/connectors.ts'
import type { PlatformName } from './platforms/names.ts'
import type { Credentials } from './platforms/platform.ts'

/** What these verbs need from the process. */
export interface ChannelContext {
  keyring: Keyring
  outbound: Policy
  client: Pick<OutboundClient, 'get' | 'post'>
  shown: Shown
}

/** A channel as its platform is asked about it. */
export interface Joining {
  platform: PlatformName
  account: string | null
  settings: Partial<Settings>
  credentials: Credentials
}

export const joiningOf = (tenant: string, row: Sealed, { keyring }: Pick<ChannelContext, 'keyring'>): Joining => ({
  platform: row.platform,
  account: row.account_id,
  settings: row.settings,
  credentials: open(keyring, tenant, row.id, row.credentials),
})

const callbackUrl = (id: string, { baseUrl }: Pick<Shown, 'baseUrl'>): string => `${baseUrl}/api/channels/${id}/callback`

export function joined(
  tenant: string,
  { platform, account, settings, credentials }: Joining,
  { client }: Pick<ChannelContext, 'client'>,
): Joined {
  const apiUrl = settings.api_url ?? (API_URLS[platform] as string)
  return { client, tenant, apiUrl, token: credentials.token as string, account, ...(settings.waba && { waba: settings.waba }) }
}

/** @returns undefined where the platform has no accounts @throws {Problem} 422 with the platform's own words */
export async function whoIs(tenant: string, joining: Joining, context: ChannelContext): Promise<Identity | undefined> {
  const told = await CONNECTORS[joining.platform]?.who(joined(tenant, joining, context))
  if (told?.refused === undefined) return told?.value
  const [code, what] = told.isAway
    ? ['not_asked', 'could not be asked whose these credentials are']
    : ['refused', 'refuses these credentials']
  throw invalid({ field: 'token', code, message: `${NAME[joining.platform]} ${what}. ${told.refused}` })
}

const NAME: Record<PlatformName, string> = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  facebook: 'Messenger',
  instagram: 'Instagram',
  api: '',
  web: '',
}

/** What a person is called on the platform. @returns undefined where the platform's callbacks tell it, or it does not say */
export async function profileOf(
  tenant: string,
  joining: Joining,
  person: string,
  context: Pick<ChannelContext, 'client'>,
): Promise<Profile | undefined> {
  return (await CONNECTORS[joining.platform]?.profile?.(joined(tenant, joining, context), person))?.value
}

/** Another token for one that would end. */
export async function renewedToken(tenant: string, joining: Joining, context: Pick<ChannelContext, 'client'>): Promise<Told<string>> {
  const told = await CONNECTORS[joining.platform]?.renewToken?.(joined(tenant, joining, context))
  return told ?? { refused: 'Tokens of this platform last.' }
}

export interface Registered {
  callback_url: string
  registered: boolean
  /** What is left to a person, a line each. */
  steps: string[]
}

/**
 * Has the platform send callbacks here, where it can be told so and can reach us. Its refusal is a step, for the channel is there all the same.
 * @param made what the steps may name, for it was made just now
 */
export async function register(
  tenant: string,
  id: string,
  joining: Joining,
  context: ChannelContext,
  made: Callback['made'] = {},
): Promise<Registered> {
  const { baseUrl } = context.shown
  const callback: Callback = { url: callbackUrl(id, context.shown), credentials: joining.credentials, made }
  const connector = CONNECTORS[joining.platform]
  if (!connector) return { callback_url: callback.url, registered: false, steps: [] }
  const asked = joined(tenant, joining, context)
  const told = isReachable(baseUrl, asked.apiUrl) ? await connector.register(asked, callback) : undefined
  const registered = told !== undefined && told.refused === undefined
  const refused = told?.refused === undefined ? [] : [`The callback could not be registered. ${told.refused} Then run channel connect.`]
  return { callback_url: callback.url, registered, steps: [...refused, ...connector.byHand(callback, registered)] }
}

/** Has the platform send no callbacks here any more. @returns what is left to a person, a line each: its refusal too, for the channel is gone all the same */
export async function unregister(tenant: string, id: string, joining: Joining, context: ChannelContext): Promise<string[]> {
  const callback: Callback = { url: callbackUrl(id, context.shown), credentials: joining.credentials }
  const connector = CONNECTORS[joining.platform]
  const told = await connector?.unregister?.(joined(tenant, joining, context), callback)
  const refused =
    told?.refused === undefined ? [] : [`${NAME[joining.platform]} could not be told to send no more callbacks. ${told.refused}`]
  return [...refused, ...(connector?.byHandAfter?.(callback) ?? [])]
}

/** Platforms send to https alone; a stand-in on this machine reaches us anyway. */
const isReachable = (baseUrl: string, apiUrl: string): boolean =>
  baseUrl.startsWith('https:') || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(apiUrl)?.hostname ?? '')

/** What the platform says about where callbacks go. @returns what is wrong */
export async function joinedOf(tenant: string, id: string, joining: Joining, context: ChannelContext): Promise<string[]> {
  const callback: Callback = { url: callbackUrl(id, context.shown), credentials: joining.credentials }
  const connect = `bin/shopdesk channel connect ${id} --tenant ${tenant}`
  const problems = await CONNECTORS[joining.platform]?.check?.(joined(tenant, joining, context), callback, connect)
  return problems ?? []
}
