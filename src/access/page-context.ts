// What pages of people need of their process, and the cookie by which a browser has a session.
import type { FastifyReply } from 'fastify'
import { cookieName, cookieOptions } from '../ingress/page/cookies.ts'
import { SESSION_DAYS } from '../limits/access.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import type { Sql } from '../postgres/sql.ts'

export interface PageContext {
  sql: Sql
  /** Without a trailing slash. */
  baseUrl: string
  /** Whether mails are sent, or kept for the operator alone. */
  sendsMail: boolean
}

export const keepSession = (reply: FastifyReply, baseUrl: string, token: string): void =>
  void reply.setCookie(cookieName(baseUrl, ''), token, { ...cookieOptions(baseUrl), maxAge: SESSION_DAYS * DAY_SECONDS })

export const dropSession = (reply: FastifyReply, baseUrl: string): void =>
  void reply.clearCookie(cookieName(baseUrl, ''), cookieOptions(baseUrl))
