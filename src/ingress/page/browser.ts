// Tells one browser from another before a person has signed in: a cookie of its own, which says nothing else.
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieOptions } from './cookies.ts'

/** The value of the browser's cookie. */
export function browserOf(request: FastifyRequest, baseUrl: string): string | undefined {
  const value = request.cookies[cookieName(baseUrl, 'form')]
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined
}

/** The same, given to the browser where it has none. */
export function giveBrowser(request: FastifyRequest, reply: FastifyReply, baseUrl: string): string {
  const known = browserOf(request, baseUrl)
  if (known !== undefined) return known
  const value = randomBytes(16).toString('base64url')
  const name = cookieName(baseUrl, 'form')
  reply.setCookie(name, value, cookieOptions(baseUrl))
  // For the other forms of this page.
  request.cookies[name] = value
  return value
}
