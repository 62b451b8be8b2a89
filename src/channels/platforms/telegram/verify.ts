// Telegram sends the secret itself along with each callback: https://core.telegram.org/bots/api#setwebhook
import { equalSecrets } from '../../../secrets.ts'
import type { Credentials, Signed } from '../platform.ts'

export function verify({ headers }: Signed, secrets: Credentials[]): boolean {
  const sent = headers['x-telegram-bot-api-secret-token']
  return typeof sent === 'string' && secrets.some(({ secret }) => secret !== undefined && equalSecrets(sent, secret))
}
