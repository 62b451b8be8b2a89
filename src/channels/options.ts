// The options of a channel, in the fields of its schema.
import { type Command, Option } from 'commander'
import { commaList, numeric } from '../cli/options.ts'
import type { Wording } from '../cli/refusal.ts'
import { givenSecret, SECRET_FORMS } from '../cli/secret.ts'
import { REOPEN_HOURS_MAX } from './accounts/settings.ts'

const ON_OFF = ['on', 'off']

const OPTIONS: [group: string, ...options: Option[]][] = [
  [
    'of all',
    new Option('--name <name>', 'what it is called here; the account’s name unless given'),
    new Option(
      '--reopen-hours <n>',
      `a message so many hours after closing reopens the conversation, 0 to ${REOPEN_HOURS_MAX}; 24 unless given`,
    ),
    new Option('--max-per-second <n>', 'messages a second to the platform, or none for its usual pace'),
  ],
  [
    'of telegram, whatsapp, facebook, instagram',
    new Option('--token <token>', `sends as the account; ${SECRET_FORMS}`),
    new Option('--api-url <url>', 'where the platform’s API is, https (http to loopback)'),
    new Option('--read-receipts <on|off>', 'reading here tells the customer so; on unless given').choices(ON_OFF),
  ],
  [
    'of whatsapp, facebook, instagram',
    new Option('--account <id>', 'whatsapp: the phone number’s id; facebook: the page’s; instagram: the account’s'),
    new Option('--app-secret <secret>', 'of the Meta app, which signs its callbacks; @file or - as with the token'),
    new Option('--verify-token <token>', 'repeated by Meta when it asks whether the address is ours; made here unless given'),
    new Option('--waba <id>', 'whatsapp: the business account; its callbacks are then registered by this program'),
    new Option('--human-agent <on|off>', 'facebook, instagram: the app may answer for 7 days, in people’s words; off unless given').choices(
      ON_OFF,
    ),
  ],
  ['of api', new Option('--send-url <url>', 'where messages to customers are sent to')],
  [
    'of web',
    new Option('--origins <list>', 'comma-separated: the sites that the chat may stand on, such as https://shop.example'),
    new Option('--title <text>', 'the chat’s heading'),
    new Option('--greeting <text>', 'what visitors read before they write'),
    new Option('--color <#rrggbb>', 'of the button and of what visitors write'),
    new Option('--hours <text>', 'when the shop answers, such as "Mon-Fri 09:00-18:00"'),
    new Option('--time-zone <zone>', 'of these hours, such as Europe/Kyiv'),
    new Option('--away-text <text>', 'what visitors read outside them'),
  ],
]

export function channelOptions(command: Command): Command {
  for (const [group, ...options] of OPTIONS) for (const option of options) command.addOption(option.helpGroup(`Options ${group}:`))
  return command
}

/** In the fields of the schema; only what was given. */
export function inputOf(options: Record<string, unknown>): Record<string, unknown> {
  const { token, appSecret, readReceipts, humanAgent, maxPerSecond, reopenHours, origins, ...others } = options as Record<
    string,
    string | undefined
  >
  return {
    ...(token !== undefined && { token: givenSecret('token', token) }),
    ...(appSecret !== undefined && { app_secret: givenSecret('app-secret', appSecret) }),
    ...(readReceipts !== undefined && { read_receipts: readReceipts === 'on' }),
    ...(humanAgent !== undefined && { human_agent: humanAgent === 'on' }),
    ...(maxPerSecond !== undefined && { max_per_second: maxPerSecond === 'none' ? null : numeric(maxPerSecond) }),
    ...(reopenHours !== undefined && { reopen_hours: numeric(reopenHours) }),
    ...(origins !== undefined && { origins: commaList(origins).map(asOrigin) }),
    ...Object.fromEntries(Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [[snakeCase(name), value]]))),
  }
}

/** As browsers name the site, for what their address bars show: capitals, letters of any script, the usual port, a slash at the end. */
function asOrigin(text: string): string {
  const url = URL.parse(text)
  return url?.href === `${url?.origin}/` ? url.origin : text
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const wording: Wording = {
  words: { null: 'none' },
  // Values of credentials are not repeated.
  sentenceOf: ({ field, message }) =>
    SECRETS.includes(field) ? `--${field.replaceAll('_', '-')}${/^(is|must) /.test(message) ? '' : ':'} ${message}` : undefined,
}
const SECRETS = ['token', 'app_secret', 'verify_token']
