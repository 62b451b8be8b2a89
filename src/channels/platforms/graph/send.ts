// What Meta's platforms have in common when they are sent to: the address, the token, and what an error means, by its code rather than by its status.
import type { PlatformAnswer, Refusal, SendingAccount } from '../sender.ts'
import { number, object, text } from '../value.ts'
import { meaningOf } from './codes.ts'

const API_URL = 'https://graph.facebook.com/v25.0'

/** @param path below the account that sends */
export const graphUrl = ({ settings, account_id }: SendingAccount, path: string): string =>
  `${settings.api_url ?? API_URL}/${account_id}/${path}`

export const authorized = ({ credentials }: SendingAccount): { Authorization: string } => ({ Authorization: `Bearer ${credentials.token}` })

export function refusal(answer: PlatformAnswer): Refusal | undefined {
  const error = errorOf(answer)
  return error && meaningOf(error)
}

export function words(answer: PlatformAnswer): string | undefined {
  const error = errorOf(answer)
  const said = text(object(error?.['error_data'])?.['details']) ?? text(error?.['error_user_msg']) ?? text(error?.['message'])
  const code = number(error?.['code'])
  return said && (code === undefined ? said : `${said} (${code})`)
}

const errorOf = ({ json }: PlatformAnswer) => object(object(json)?.['error'])
