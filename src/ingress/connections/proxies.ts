// Proxies in front: which of them are trusted for the address of a caller, and how one is noticed that no setting names.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { PROXY_NOTICE_MS } from '../../limits/connections.ts'
import { note } from '../../postgres/notices.ts'
import type { Sql } from '../../postgres/sql.ts'
import { seldom } from './seldom.ts'

/** @param hop 0 for the other end of the connection, then the addresses of X-Forwarded-For from its end */
export type Trust = (address: string, hop: number) => boolean

export function trusting(trustProxy: Config['trustProxy']): Trust {
  if (trustProxy === false) return () => false
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  const list = new BlockList()
  for (const range of trustProxy.flatMap(each => RANGES[each] ?? each)) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The ranges that TRUST_PROXY may name. */
const RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The name of the notice that `shopdesk doctor` looks for. */
export const UNTRUSTED_PROXY = 'untrusted-proxy'

/** @returns called with each request while no proxy is trusted: logs the first that came by a proxy, and now and then notes one for `shopdesk doctor` */
export function proxyWatch(sql: Sql, log: Logger): (request: IncomingMessage) => void {
  let said = false
  const tell = seldom<string>(PROXY_NOTICE_MS, detail => {
    if (!said)
      log.warn({ detail }, 'requests come by a proxy, and TRUST_PROXY is not set: all callers behind it share one address and its limits')
    said = true
    note(sql, UNTRUSTED_PROXY, detail).catch((err: Error) => log.debug({ err }, 'the notice of a proxy could not be kept'))
  })
  return ({ headers, socket }) => {
    const header = headers['x-forwarded-for'] !== undefined ? 'X-Forwarded-For' : headers['forwarded'] !== undefined && 'Forwarded'
    if (header) tell(`${header} from ${socket.remoteAddress}`)
  }
}
