// Finds heads that Node's parser accepts and RFC 9112 forbids: a proxy in between may read another request in them than this service.
import type { IncomingMessage } from 'node:http'

/** @returns the fault, as a sentence */
export function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'Transfer-Encoding is chunked or not given (RFC 9112, 6.1).'
  const hosts = hostsAmong(rawHeaders)
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 'Host is given exactly once (RFC 9112, 3.2).'
  return undefined
}

/** A target without the address that one in absolute form begins with (RFC 9112, 3.2.2). */
export const inOriginForm = (target: string): string => (target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, ''))

// Counts raw headers: Node keeps the first and drops the others.
function hostsAmong(rawHeaders: string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
