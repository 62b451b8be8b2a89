// Cookies of pages: bound to this host, closed to scripts, and sent along when a person comes from another site by a link, not by its forms.
import type { CookieSerializeOptions } from '@fastify/cookie'

/**
 * The name of a cookie. Over https browsers take one with `__Host-` from this very host alone, and only with the attributes below.
 * @param what it holds; empty for the session
 */
export const cookieName = (baseUrl: string, what: string): string => `${isSecure(baseUrl) ? '__Host-' : ''}shopdesk${what && `-${what}`}`

export const cookieOptions = (baseUrl: string): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isSecure(baseUrl),
})

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')
