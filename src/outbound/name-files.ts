// The system's files about names: the name servers and how to ask them (resolv.conf), and the names known without them (hosts). They are read again
// whenever they change, for a process outlives its network's settings.
import { readFileSync, statSync } from 'node:fs'
import { isIP, isIPv4 } from 'node:net'
import type { Address } from './connect.ts'

export interface NameFilePaths {
  resolvConf?: string
  hosts?: string
}

/** As in resolv.conf(5). */
export interface NameSettings {
  /** Asked in this order. */
  servers: string[]
  /** Domains that are appended to a name. */
  search: string[]
  /** A name with at least this many dots is first tried as it is. */
  ndots: number
  /** How long each of `attempts` lasts. Milliseconds. */
  timeoutMs: number
  attempts: number
}

export interface NameFiles {
  /** The same object until the file has changed. */
  settings(): NameSettings
  /** @param name in lower case, without a dot at the end @returns undefined: the file does not have it */
  addresses(name: string): Address[] | undefined
}

export function createNameFiles({ resolvConf = '/etc/resolv.conf', hosts = '/etc/hosts' }: NameFilePaths = {}): NameFiles {
  const settings = whenChanged(resolvConf, parseResolvConf)
  const known = whenChanged(hosts, parseHosts)
  return { settings, addresses: name => known().get(name) }
}

function whenChanged<T>(path: string, parse: (text: string) => T): () => T {
  let version: string | undefined
  let parsed: T
  return () => {
    const now = versionOf(path)
    if (now !== version) {
      version = now
      parsed = parse(textOf(path))
    }
    return parsed
  }
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
}

// A file that is missing or unreadable counts as empty, as for the system's own resolver.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const SERVERS_MAX = 3
const SEARCH_MAX = 6
const NDOTS_MAX = 15
/** The system waits 5 s, nearly as long as a whole look-up may take (name-lookup.ts). */
const TIMEOUT_SECONDS = 2
const TIMEOUT_SECONDS_MAX = 3
const ATTEMPTS = 2
const ATTEMPTS_MAX = 5

function parseResolvConf(text: string): NameSettings {
  const settings: NameSettings = { servers: [], search: [], ndots: 1, timeoutMs: TIMEOUT_SECONDS * 1000, attempts: ATTEMPTS }
  for (const [key, ...values] of linesOf(text, /[#;].*/)) {
    const [value = ''] = values
    if (key === 'nameserver' && isServer(value)) settings.servers.push(value)
    // The last `search` or `domain` line counts; `domain` is the older spelling.
    if (key === 'search') settings.search = values
    if (key === 'domain') settings.search = [value]
    if (key === 'options') for (const option of values) setOption(settings, option)
  }
  settings.servers = settings.servers.length > 0 ? settings.servers.slice(0, SERVERS_MAX) : ['127.0.0.1']
  settings.search = settings.search
    .map(domain => domain.toLowerCase().replace(/\.$/, ''))
    .filter(Boolean)
    .slice(0, SEARCH_MAX)
  return settings
}

// Also accepts an address with a port, which the system's own resolver does not.
const isServer = (text: string): boolean => isIP(text) !== 0 || isIPv4(text.replace(/:\d{1,5}$/, ''))

function setOption(settings: NameSettings, option: string): void {
  const [, name, digits] = /^(ndots|timeout|attempts):(\d{1,5})$/.exec(option) ?? []
  const number = Number(digits)
  if (name === 'ndots') settings.ndots = Math.min(number, NDOTS_MAX)
  if (name === 'timeout' && number > 0) settings.timeoutMs = Math.min(number, TIMEOUT_SECONDS_MAX) * 1000
  if (name === 'attempts' && number > 0) settings.attempts = Math.min(number, ATTEMPTS_MAX)
}

function parseHosts(text: string): Map<string, Address[]> {
  const known = new Map<string, Address[]>()
  for (const [address = '', ...names] of linesOf(text, /#.*/)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(each => each.toLowerCase())) known.set(name, [...(known.get(name) ?? []), { address, family }])
  }
  return known
}

const linesOf = (text: string, comment: RegExp): string[][] =>
  text
    .split('\n')
    .map(line => line.replace(comment, '').trim())
    .filter(Boolean)
    .map(line => line.split(/\s+/))
