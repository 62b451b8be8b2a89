// Which pages may call. A service on a loopback address is reached by every page that a browser on the same machine shows, also by a name that such a
// page has pointed at 127.0.0.1 (DNS rebinding): there the host and the origin must be loopback too. Elsewhere any page may call, for tokens are sent
// in a header that no browser adds by itself.
import type { IncomingHttpHeaders } from 'node:http'

export interface Origins {
  /** Why a request is refused; undefined where it is not. */
  refusal(headers: IncomingHttpHeaders): string | undefined
  /** What tells a browser that the page may read the answer. */
  headers(headers: IncomingHttpHeaders): Record<string, string>
}

/** @param baseUrl the address under which the service is known */
export function originsOf(baseUrl: string): Origins {
  if (!isLoopbackHost(new URL(baseUrl).host)) return { refusal: () => undefined, headers: () => ({ ...ANYONE }) }
  return {
    refusal({ host, origin }) {
      if (!isLoopbackHost(host ?? ''))
        return `This service is known as ${baseUrl}, and the request was sent to another host. Use that address, or set BASE_URL to the one that you use.`
      if (origin !== undefined && !isLoopbackOrigin(origin))
        return `This service is known as ${baseUrl}, which pages of other hosts may not call. Set BASE_URL to an address that is not loopback to allow them.`
      return undefined
    },
    headers: ({ host, origin }) => ({
      Vary: 'Origin',
      ...(origin !== undefined &&
        isLoopbackHost(host ?? '') &&
        isLoopbackOrigin(origin) && { ...ANYONE, 'Access-Control-Allow-Origin': origin }),
    }),
  }
}

const ANYONE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'WWW-Authenticate, X-Trace-Id, Retry-After' }

const LOOPBACK = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d{1,5})?$/i

const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host)

const isLoopbackOrigin = (origin: string): boolean => /^https?:\/\//i.test(origin) && LOOPBACK.test(origin.replace(/^https?:\/\//i, ''))
