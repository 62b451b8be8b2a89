// May this host be called? Addresses are judged at every connection (connect.ts), URLs also when a tenant enters them.
import { isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { isOtherProtocols } from './ports.ts'

export type Policy = Config['outbound']

export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link-local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'documentation'
  | 'benchmarking'
  | 'translation'
  | 'reserved'
  | 'malformed'

export interface UrlProblem {
  code: 'malformed' | 'too_long' | 'https_required' | 'userinfo' | 'fragment' | 'private_host' | 'refused_port'
  /** One sentence for the tenant: the reason and the remedy. */
  message: string
  /** The reason alone, where the remedy is not the same for every kind of address. */
  reason?: string
  /** The setting by which the operator allows it: it is an address of this machine, and nothing else is wrong with it. */
  allowedBy?: string
}

/** Proxies cut or refuse longer URLs. */
const URL_MAX_CHARS = 2048

/**
 * The kind of an IP address, by the registries of special-purpose addresses (RFC 6890 and its successors).
 * @returns 'public', or the reason why the address is not on the public internet; 'malformed' also for zone ids and loose spellings
 */
export function checkAddress(ip: string): AddressKind {
  const bytes = parse(ip)
  if (!bytes) return 'malformed'
  const known = RANGES.find(range => contains(range, bytes))
  if (known?.kind === 'embedded') return checkAddress(bytes.slice(12).join('.'))
  // Only 2000::/3 is assigned as public IPv6; an address outside it that is not in the table is unassigned.
  return known?.kind ?? (bytes.length === 4 || (bytes[0] as number) >> 5 === 1 ? 'public' : 'reserved')
}

/**
 * Whether a connection to this address may be made. `allowPrivate` permits loopback, private and shared addresses, but never metadata services,
 * multicast and the rest: no receiver listens there, not even on a developer's machine.
 * @returns the kind of address that is refused, undefined when it may be called
 */
export function refusedAddress(ip: string, policy: Policy): AddressKind | undefined {
  const kind = checkAddress(ip)
  if (kind === 'public') return undefined
  if (policy.allowPrivate && (kind === 'loopback' || kind === 'private' || kind === 'shared')) return undefined
  return kind
}

/** @param origin as URL.origin writes it, e.g. https://intern.example:8443 */
export function isAllowedOrigin(origin: string, policy: Policy): boolean {
  return policy.allowOrigins.some(allowed => URL.parse(allowed)?.origin === origin)
}

/**
 * Whether a webhook, skill or other outbound URL may be stored and called. Names are not resolved here: their addresses are checked at every
 * connection.
 */
export function checkUrl(text: string, policy: Policy): UrlProblem | undefined {
  if (text.length > URL_MAX_CHARS)
    return { code: 'too_long', message: `The URL has ${text.length} characters; use one of at most ${URL_MAX_CHARS}.` }
  const url = /[\s\\]/.test(text) ? null : URL.parse(text)
  if (!url) return malformed
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return httpsRequired
  if (!/^https?:\/\/[^/]/i.test(text) || url.port === '0') return malformed
  if (url.username || url.password) return userinfo
  if (text.includes('#')) return fragment
  // The parser has already turned every spelling of an IPv4 address (0x7f.1, 2130706433, １２７.0.0.1, 127.0.0.1.) into dotted decimals.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host.length > 253 || host.split('.').includes('')) return malformed
  return checkHost(host, url, policy)
}

function checkHost(host: string, url: URL, policy: Policy): UrlProblem | undefined {
  const exempt = isAllowedOrigin(url.origin, policy)
  if (url.protocol === 'http:') {
    if (!isLoopbackHost(host)) return httpsRequired
    if (!exempt && !policy.allowPrivate) return loopbackRefused(url.origin)
  }
  if (exempt) return undefined
  // In development a receiver may be anywhere.
  if (!policy.allowPrivate && isOtherProtocols(url.port)) return refusedPort(url.port)
  if (isIPv4(host) || isIPv6(host)) {
    const kind = refusedAddress(host, policy)
    return kind && privateHost(`${host} is not a public address (${kind})`, host, url, policy)
  }
  if (!policy.allowPrivate && isPrivateName(host)) return privateHost(`${host} names a host of a private network`, host, url, policy)
  return undefined
}

/** Whether the name or address can only lead to this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || checkAddress(host) === 'loopback'
}

// Names that public DNS will never have: single labels, reserved names (RFC 6761, 6762 and its appendix G, 8375; ICANN's internal, corp and home),
// and those that routers and Kubernetes invent. If such a name resolves, it is in our own network.
function isPrivateName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|svc)$/.test(host)
}

const malformed: UrlProblem = {
  code: 'malformed',
  message: 'The URL cannot be read; write it like https://shop.example/webhooks, without spaces or backslashes.',
}
const refusedPort = (port: string): UrlProblem => ({
  code: 'refused_port',
  message: `Port ${port} belongs to another protocol than HTTPS; use 443, or another such as 8443.`,
})
const httpsRequired: UrlProblem = {
  code: 'https_required',
  message: 'The URL must start with https:// because customers’ data is sent there; put TLS in front of the receiver.',
}
/** How the operator allows a single origin of the inside, for development. */
export const allowing = (url: string): string => `OUTBOUND_ALLOW_ORIGINS=${URL.parse(url)?.origin ?? url}`

const loopbackRefused = (origin: string): UrlProblem => ({
  code: 'https_required',
  message: `${httpsRequired.message} An address of this machine needs none where the operator allows it, for development: ${allowing(origin)}.`,
  allowedBy: allowing(origin),
})
const userinfo: UrlProblem = {
  code: 'userinfo',
  message: 'The URL must not hold a user name or password; remove them and verify the signature header instead.',
}
const fragment: UrlProblem = { code: 'fragment', message: 'The URL must not hold a # fragment, which is never sent; remove it.' }

// If private hosts are already allowed, the setting cannot help: the host is refused everywhere.
function privateHost(reason: string, host: string, { origin }: URL, { allowPrivate }: Policy): UrlProblem {
  const advice = allowPrivate ? '' : ' (in development the operator may set OUTBOUND_ALLOW_PRIVATE=true)'
  const message = `${reason}; use a host that the internet can reach${advice}.`
  return { code: 'private_host', message, reason, ...(isLoopbackHost(host) && { allowedBy: allowing(origin) }) }
}

interface Range {
  prefix: number[]
  bits: number
  kind: Exclude<AddressKind, 'public' | 'malformed'> | 'embedded'
}

// The first range that contains the address decides, so single metadata addresses stand before the ranges around them.
// embedded: judged by the IPv4 address in the last 32 bits. The kernel treats an IPv4-mapped address as that IPv4 address, and an IPv6-only network
// behind a NAT64 reaches every IPv4 receiver by such an address (DNS64 makes it). The other translation ranges are refused whole: 6to4, Teredo and
// IPv4-compatible addresses are retired, and a site's own NAT64 prefix hides where the IPv4 address is.
const RANGES: Range[] = [
  ['169.254.169.254/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  // Azure's wire server: a public address that the virtual machine's host answers.
  ['168.63.129.16/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'translation'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::1/128', 'loopback'],
  ['::/128', 'unspecified'],
  ['::ffff:0:0/96', 'embedded'],
  ['::/96', 'translation'],
  ['64:ff9b::/96', 'embedded'],
  ['64:ff9b:1::/48', 'translation'],
  ['100::/64', 'reserved'],
  // Protocol assignments such as Teredo, ORCHID and benchmarking.
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'translation'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'reserved'],
  // The metadata services of Amazon and Google are in the unique-local range.
  ['fd00:ec2::/32', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
].map(([cidr = '', kind]) => {
  const [prefix = '', bits] = cidr.split('/')
  return { prefix: parse(prefix) as number[], bits: Number(bits), kind: kind as Range['kind'] }
})

function contains({ prefix, bits }: Range, bytes: number[]): boolean {
  if (prefix.length !== bytes.length) return false
  return prefix.every((byte, index) => {
    const left = Math.min(Math.max(bits - index * 8, 0), 8)
    return (byte ^ (bytes[index] as number)) >> (8 - left) === 0
  })
}

// 4 or 16 bytes; undefined for any loose spelling, and for zone ids: a zone names one of our own network interfaces.
function parse(ip: string): number[] | undefined {
  if (isIPv4(ip)) return ip.split('.').map(Number)
  if (!isIPv6(ip) || ip.includes('%')) return undefined
  const dotted = /[\d.]+\.[\d.]+$/.exec(ip)?.[0]
  const tail = dotted?.split('.').map(Number) ?? []
  const [head = '', rest] = (dotted ? ip.slice(0, -dotted.length) : ip).split('::')
  const before = groups(head)
  const after = [...groups(rest ?? ''), ...tail]
  return [...before, ...new Array(16 - before.length - after.length).fill(0), ...after]
}

function groups(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
}
