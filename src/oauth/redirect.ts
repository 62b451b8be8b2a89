// Where a client may have a person sent back to: rules for what it registers, and the comparison with what it asks for.
import { REDIRECT_URI_CHARS } from '../limits/oauth.ts'

/** The schemes that apps on a person's computer are known to register. Those with a dot are a domain of their maker turned round (RFC 8252 §7.1). */
const APP_SCHEMES = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed']

/**
 * @param isPublic whether the client has no secret: an app's scheme can be taken by any other app, so what comes there must be worth nothing alone
 * @param appSchemes allowed beside the known ones: OAUTH_APP_SCHEMES
 * @returns why it may not be registered, as a clause
 */
export function redirectFault(uri: unknown, isPublic: boolean, appSchemes: readonly string[]): string | undefined {
  if (typeof uri !== 'string') return 'is not a string'
  if (uri.length > REDIRECT_URI_CHARS) return `is longer than ${REDIRECT_URI_CHARS} characters`
  // As printed: browsers drop tabs and line feeds, and read a backslash as a slash.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) return 'holds characters that an address may not have'
  const url = URL.parse(uri)
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(uri)?.[1]
  if (!url || scheme === undefined) return 'is not an absolute address'
  if (uri.includes('#')) return 'has a fragment'
  if (uri.includes('*')) return 'has a wildcard'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/.test(uri)) return 'names a user'
  if (scheme === 'https' || scheme === 'http') {
    if (!/^https?:\/\/[^/?]/.test(uri)) return 'names no host'
    return scheme === 'https' || isLoopback(url)
      ? undefined
      : 'is http, which only addresses of this computer may be (localhost, 127.0.0.1, [::1])'
  }
  if (!isPublic) return `has the scheme of an app, ${scheme}, which only clients without a secret may have`
  const known = scheme.includes('.') || APP_SCHEMES.includes(scheme) || appSchemes.includes(scheme)
  return known ? undefined : `has the scheme ${scheme}, which OAUTH_APP_SCHEMES does not name`
}

/** Whether a client may ask for this address. To the letter; but apps on a person's computer listen where a port is free (RFC 8252 §7.3). */
export const allowsRedirect = (registered: readonly string[], asked: string): boolean =>
  registered.some(each => each === asked || isSameButPort(each, asked))

/** The host that a person is sent to, and whether that is their own computer: what is known of a client, whatever it says of itself. */
export function destinationOf(uri: string): { host: string; isHere: boolean } {
  const url = new URL(uri)
  const isHttp = /^https?:$/.test(url.protocol)
  return { host: isHttp ? url.host : `${url.protocol.slice(0, -1)} (an app)`, isHere: !isHttp || isLoopback(url) }
}

const LOOPBACK = /^(http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/

function isSameButPort(registered: string, asked: string): boolean {
  const [, host, rest] = LOOPBACK.exec(registered) ?? []
  const [, askedHost, askedRest] = LOOPBACK.exec(asked) ?? []
  return host !== undefined && host === askedHost && rest === askedRest && URL.canParse(asked)
}

const isLoopback = ({ hostname }: URL): boolean => hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
