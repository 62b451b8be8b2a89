// Addresses of files: by an API key, or by a link that is its own permission for a week.
import { now } from '../clock.ts'
import { type Keyring, seal, unseal } from '../secrets.ts'

let base = ''

/** Every process that renders messages says where the service is reached. @param baseUrl an origin */
export function addressesAt(baseUrl: string): void {
  base = baseUrl
}

export const urlOf = (id: string): string => `${base}/api/v1/attachments/${id}`

/** How long a link opens its file. */
const LINK_MS = 7 * 24 * 60 * 60_000
/** Links of one hour are the same, so that a page that is shown again has the same addresses. */
const HOUR_MS = 60 * 60_000

/** A link that opens the file for 7 days, without a key. */
export function signedUrl(keyring: Keyring, tenant: string, id: string): string {
  const until = Math.ceil((now() + LINK_MS) / HOUR_MS) * HOUR_MS
  return `${base}/api/files/${id}?link=${seal(keyring, `${tenant} ${until}`, PURPOSE, id)}`
}

/** @returns the tenant whose file the link opens; undefined of a link that was forged, is another file's, or has expired */
export function tenantOf(keyring: Keyring, id: string, link: string): string | undefined {
  const [tenant, until] = unseal(keyring, link, PURPOSE, id)?.split(' ') ?? []
  return Number(until) > now() ? tenant : undefined
}

const PURPOSE = 'links of attachments'
