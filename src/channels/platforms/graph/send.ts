// What Meta's platforms have in common when they are sent to: the address, the token, and what an error means, by its code rather than by its status.
import type { PlatformAnswer, Refusal, SendingAccount } from '../sender.ts'
import { number, object, text } from '../value.ts'
import { BUSY, CREDENTIALS, OVERLOADED, UNREACHABLE, WINDOW_CLOSED, WINDOW_CLOSED_SUBCODES } from './codes.ts'

const API_URL = 'https://graph.facebook.com/v25.0'

/** @param path below the account that sends */
export const graphUrl = ({ settings, account_id }: SendingAccount, path: string): string =>
  `${settings.api_url ?? API_URL}/${account_id}/${path}`

export const authorized = ({ credentials }: SendingAccount): { Authorization: string } => ({ Authorization: `Bearer ${credentials.token}` })

export function refusal(answer: PlatformAnswer): Refusal | undefined {
  const error = errorOf(answer)
  const [code, subcode] = [number(error?.['code']), number(error?.['error_subcode'])]
  if (error === undefined || code === undefined) return undefined
  if (WINDOW_CLOSED.includes(code) || (subcode !== undefined && WINDOW_CLOSED_SUBCODES.includes(subcode)))
    return { kind: 'failed', code: 'reply_window_closed' }
  if (UNREACHABLE.includes(code)) return { kind: 'failed', code: 'recipient_unreachable' }
  if (BUSY.includes(code)) return { kind: 'held' }
  if (CREDENTIALS.includes(code) || (code >= 200 && code <= 299)) return { kind: 'credentials' }
  return OVERLOADED.includes(code) || error['is_transient'] === true ? { kind: 'again' } : undefined
}

export function words(answer: PlatformAnswer): string | undefined {
  const error = errorOf(answer)
  const said = text(object(error?.['error_data'])?.['details']) ?? text(error?.['error_user_msg']) ?? text(error?.['message'])
  const code = number(error?.['code'])
  return said && (code === undefined ? said : `${said} (${code})`)
}

const errorOf = ({ json }: PlatformAnswer) => object(object(json)?.['error'])
