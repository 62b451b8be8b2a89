// What a page is: where it stands, who may see it, what it shows and what its forms do. The frame knows no noun: sessions are read by what is handed in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Sent } from './sent.ts'

export type Role = 'operator' | 'admin'

/** Who is signed in, and where. What reads sessions may add members of its own. */
export interface SignedIn {
  /** The session's id: its forms are bound to it. */
  id: string
  tenant: string
  role: Role
  /** The person and the workspace, as the header names them. */
  person: string
  workspace: string
}

/** One request of a page. */
export interface Visit<S = SignedIn | undefined> {
  /** Always there on a page for members. */
  session: S
  /** The path's parameters, decoded. */
  params: Record<string, string>
  query: URLSearchParams
  /** The form that came; in `show`, one that was refused, with the reasons. */
  sent?: Sent
  request: FastifyRequest
  reply: FastifyReply
}

/** What a page shows: content, and whatever differs from the usual. */
export interface Shown {
  body: ComponentChildren
  /** Default: the page's. */
  title?: string
  status?: number
  headers?: Record<string, string>
}

/** 303. */
export interface See {
  /** A path of ours, or where a client of ours waits. */
  see: string
  /** Shown once, on the page that comes next. */
  notice?: string
  /** The session has ended with it, so the notice is for a browser that has none. */
  isSignedOut?: true
}

export type Answer = Shown | See

/** The next page, after a form has done its work. */
export const see = (path: string, notice?: string): See => ({ see: path, ...(notice !== undefined && { notice }) })

/** The page to sign in, after a form that ended the session. */
export const seeSignIn = (notice?: string): See => ({ ...see('/sign-in', notice), isSignedOut: true })

interface PageBase<S> {
  /** With parameters as in `/invite/:token`. */
  path: string
  title: string
  /** GET; and POST again, where a form was refused: its values and the reasons are in `visit.sent`, and `Form` shows them. A page without it is only posted to. */
  show?: (visit: Visit<S>) => Answer | Promise<Answer>
  /**
   * By the name of a form, which is empty for a page's only one. A refusal with 409, 422 or 429 that an action throws shows the page again; what
   * succeeds answers with `see`, or shows what is shown once.
   */
  actions?: Record<string, (visit: Visit<S> & { sent: Sent }) => Answer | Promise<Answer>>
  /** The address holds a secret: no other site is told it. */
  secretAddress?: true
  /** Its forms lead to other sites by redirects, which Chromium would hold against `form-action`: always, or with such a query. */
  leadsAway?: (query: URLSearchParams) => boolean
}

export interface OpenPage<S> extends PageBase<S | undefined> {
  who: 'anyone'
}

/** For members: others are led to sign in, and operators are refused what is the admins'. */
export interface MembersPage<S> extends PageBase<S> {
  who: Role
}

export type PageRoute<S extends SignedIn = SignedIn> = OpenPage<S> | MembersPage<S>

/** Declares a page. */
export const page = <S extends SignedIn = SignedIn>(route: PageRoute<S>): PageRoute<S> => route

export interface MenuLink {
  path: string
  title: string
  /** The least role that sees it. */
  who: Role
}

export interface MenuGroup {
  title: string
  links: MenuLink[]
}

export const mayVisit = (role: Role, who: Role): boolean => role === 'admin' || who === 'operator'
