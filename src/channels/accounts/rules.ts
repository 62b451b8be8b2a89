// Which options each platform takes, and which of them it cannot do without.
import { checkUrl, type Policy } from '../../outbound/address.ts'
import type { FieldError } from '../../problems.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { ChannelChange, NewChannel } from './schema.ts'

type Field = keyof ChannelChange

const ANY: Field[] = ['name', 'reopen_hours', 'max_per_second']
const GRAPH: Field[] = ['token', 'app_secret', 'verify_token', 'api_url', 'read_receipts']
const WEB: Field[] = ['origins', 'title', 'greeting', 'color', 'away_text', 'hours', 'time_zone']

/** Beside those of all. */
const TAKES: Record<PlatformName, { required: Field[]; optional: Field[] }> = {
  telegram: { required: ['token'], optional: ['api_url', 'read_receipts'] },
  whatsapp: { required: ['account', 'token', 'app_secret'], optional: [...GRAPH, 'waba'] },
  facebook: { required: ['account', 'token', 'app_secret'], optional: [...GRAPH, 'human_agent'] },
  instagram: { required: ['account', 'token', 'app_secret'], optional: [...GRAPH, 'human_agent'] },
  api: { required: ['send_url'], optional: [] },
  web: { required: ['origins'], optional: WEB },
}

export function errorsOfNew(input: NewChannel, policy: Policy): FieldError[] {
  const missing = TAKES[input.platform].required
    .filter(field => input[field] === undefined)
    .map(field => ({ field, code: 'required', message: `is required for ${input.platform}.` }))
  const { platform, ...change } = input
  return [...missing, ...strange(platform, change), ...wrong(change, policy)]
}

export const errorsOfChange = (platform: PlatformName, change: ChannelChange, policy: Policy): FieldError[] => [
  ...strange(platform, change),
  ...wrong(change, policy),
]

function strange(platform: PlatformName, change: ChannelChange): FieldError[] {
  const { required, optional } = TAKES[platform]
  const taken = [...ANY, ...required, ...optional]
  const fields = Object.keys(change) as Field[]
  return fields
    .filter(each => !taken.includes(each))
    .map(field => error(field, 'not_applicable', `is no option of ${platform}; leave it out.`))
}

function wrong({ api_url, send_url, origins, time_zone }: ChannelChange, policy: Policy): FieldError[] {
  const urls = Object.entries({ api_url, send_url }).flatMap(([field, url]) => {
    const problem = url === undefined ? undefined : checkUrl(url, policy)
    return problem ? [error(field, problem.code, problem.message)] : []
  })
  const strangers = (origins ?? []).flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [
          error(
            `origins[${index}]`,
            'invalid_format',
            origin.includes('*')
              ? 'must be one site: a * stands for none. Name each by itself.'
              : 'must be an origin without a path, such as https://shop.example (http on localhost alone).',
          ),
        ],
  )
  const zone =
    time_zone === undefined || isTimeZone(time_zone)
      ? []
      : [error('time_zone', 'invalid_format', 'must be an IANA time zone, such as Europe/Kyiv.')]
  return [...urls, ...strangers, ...zone]
}

const error = (field: string, code: string, message: string): FieldError => ({ field, code, message })

// A page on a plain connection could be changed on its way; one on the own machine cannot.
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.origin !== text || text.includes('*')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
