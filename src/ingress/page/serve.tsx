// One request of a page, in one order: page → method → origin → session → role → form → action or content.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS_PER_MINUTE } from '../../limits/rate.ts'
import { wasRolledBack } from '../../postgres/errors.ts'
import { claimForm, releaseForm } from '../../postgres/used-forms.ts'
import { createAddressLimiter } from '../address-limit.ts'
import { giveBack } from '../gather.ts'
import { tooMany } from '../quota.ts'
import { pathOf } from '../request.ts'
import { browserOf } from './browser.ts'
import { readFormToken } from './form-token.ts'
import { pageHeaders } from './headers.ts'
import { matcher } from './match.ts'
import { keepNotice } from './notice.ts'
import { isForeign, isOurs } from './origin.ts'
import { type Answer, type MenuGroup, mayVisit, type PageRoute, type See, type Shown, type SignedIn, type Visit } from './page.ts'
import { PageRefusal } from './refusal.ts'
import { type Refusal, readForm, refusalOf, type Sent, TOKEN_FIELD, WORKSPACE_FIELD } from './sent.ts'
import type { Site } from './site.ts'
import { sitePage } from './site-page.tsx'

export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type Refused = Refusal & Pick<Shown, 'headers'> & { status: number }

/** A form that may act; or why it may not: it is shown again, or a page says so in its place. */
type Claimed = { release(): Promise<void> } | { message: string; instead: PageRefusal }

interface Opened<S extends SignedIn> {
  pages: PageRoute<S>[]
  menu: MenuGroup[]
}

/** @returns answers every request below the site's roots */
export function createServe<S extends SignedIn>(site: Site<S>, { pages, menu }: Opened<S>): Serve {
  const find = matcher(pages)
  const anonymous = createAddressLimiter(ANONYMOUS_PER_MINUTE)

  return async (request, reply) => {
    const path = pathOf(request).replace(/(?<=.)\/$/, '')
    const found = find(path)
    if (!found) throw new PageRefusal(404, 'There is no such page', 'The address may be mistyped, or the page may have moved.')
    const page = found.page as PageRoute<S>
    const allowed = methodsOf(page)
    if (request.method === 'OPTIONS')
      return reply
        .code(204)
        .headers({ Allow: allowed.join(', '), 'Cache-Control': 'no-store', 'X-Trace-Id': request.traceId })
        .send()
    expectMethod(allowed, request)
    if (page.show) request.again = again(request)
    if (request.method === 'POST' && isForeign(request.headers, site.baseUrl)) throw foreignForm(request)
    const query = queryOf(request)
    const kind = { secretAddress: page.secretAddress, leadsAway: page.leadsAway?.(query) }
    reply.headers({ ...pageHeaders(site.baseUrl, kind), 'Cache-Control': 'no-store', 'X-Trace-Id': request.traceId })
    const session = await sessionOf(request)
    if (page.who !== 'anyone') {
      if (!session && request.method === 'POST') throw signedOut(request)
      if (!session) return redirect(reply, { see: signInFor(request) }, undefined)
      if (!mayVisit(session.role, page.who))
        throw new PageRefusal(403, 'This page is for admins', 'Your role in this workspace is operator. An admin can change that.')
    }
    const visit = { session: session as S, params: found.params, query, request, reply }
    return request.method === 'POST' ? act(page, visit) : present(page, visit, await content(page, visit))
  }

  async function sessionOf(request: FastifyRequest): Promise<S | undefined> {
    const slot = anonymous(request.ip)
    const session = await site.session(request)
    if (session) slot.giveBack()
    else if (!slot.allowed) throw tooMany(slot.quota)
    return session
  }

  async function act(page: PageRoute<S>, visit: Visit<S>): Promise<FastifyReply> {
    const sent = readForm((visit.request.body as Buffer | undefined) ?? Buffer.alloc(0))
    const action = page.actions?.[sent.form]
    if (!action || !Object.hasOwn(page.actions ?? {}, sent.form))
      throw new PageRefusal(422, 'There is no such form', 'Open the page anew.', again(visit.request))
    if (page.who !== 'anyone') expectWorkspace(visit, sent)
    const form = await claim(visit, sent)
    if ('instead' in form) {
      if (!page.show) throw form.instead
      return presentAgain(page, visit, sent, { message: form.message, errors: [], status: form.instead.status, headers: {} })
    }
    try {
      const answer = await action({ ...visit, sent })
      if (!('see' in answer) && (answer.status ?? 200) >= 400) await form.release()
      return await present(page, visit, answer)
    } catch (error) {
      // After a lost connection it is unknown whether it was done, and it must not be done twice.
      if (wasRolledBack(error)) await form.release()
      const refusal = refusalOf(error)
      if (!refusal || !page.show) throw error
      return presentAgain(page, visit, sent, refusal)
    }
  }

  /** The page with what was typed, and why it was refused. */
  async function presentAgain(page: PageRoute<S>, visit: Visit<S>, sent: Sent, refusal: Refused): Promise<FastifyReply> {
    const refused = { ...visit, sent: { ...sent, refusal } }
    const shown = await content(page, refused)
    return present(
      page,
      refused,
      'see' in shown ? shown : { ...shown, status: refusal.status, headers: { ...shown.headers, ...refusal.headers } },
    )
  }

  /** The form's token says that it is ours, and of this session; the table of used ones, that it comes for the first time. */
  async function claim({ request, session }: Visit<S>, sent: Sent): Promise<Claimed> {
    const owner = session?.id ?? browserOf(request, site.baseUrl)
    const token = owner === undefined ? undefined : readFormToken(site.keyring, sent.text(TOKEN_FIELD), owner)
    if (token === 'expired') return outlived(request, 'This form was open for over a day, so nothing was done. Send it again.')
    if (token === undefined) {
      // Only what our own page has sent is shown again: else any site could fill in this service's forms.
      if (!isOurs(request.headers, site.baseUrl)) throw foreignForm(request)
      return outlived(request, owner === undefined ? withoutCookie(site.baseUrl) : ELSEWHERE)
    }
    if (!(await claimForm(site.sql, token.number))) return sentAlready(request)
    return { release: () => releaseForm(site.sql, token.number) }
  }

  async function content(page: PageRoute<S>, visit: Visit<S>): Promise<Answer> {
    if (!page.show) throw new PageRefusal(405, 'This page does not work that way', 'It is only sent to.', undefined, { Allow: 'POST' })
    return page.show(visit)
  }

  async function present(page: PageRoute<S>, visit: Visit<S>, answer: Answer): Promise<FastifyReply> {
    if ('see' in answer) return redirect(visit.reply, answer, visit)
    // It lies outside the heap, and is given back once it is sent.
    const bytes = sitePage(site, menu, page, visit, answer as Shown)
    visit.reply.raw.once('finish', () => giveBack(bytes))
    return visit.reply
      .code(answer.status ?? 200)
      .headers(answer.headers ?? {})
      .type('text/html; charset=utf-8')
      .send(bytes)
  }

  function redirect(reply: FastifyReply, { see, notice, isSignedOut }: See, visit: Visit<S> | undefined): FastifyReply {
    if (notice !== undefined && visit) keepNotice(site, isSignedOut ? { ...visit, session: undefined } : visit, notice)
    return reply.code(303).header('Location', see).send()
  }
}

const methodsOf = ({ show, actions }: { show?: unknown; actions?: unknown }): string[] => [
  ...(show ? ['GET', 'HEAD'] : []),
  ...(actions ? ['POST'] : []),
  'OPTIONS',
]

function expectMethod(allowed: string[], { method }: FastifyRequest): void {
  if (allowed.includes(method)) return
  throw new PageRefusal(405, 'This page does not work that way', `It takes ${allowed.join(', ')}.`, undefined, {
    Allow: allowed.join(', '),
  })
}

// Another tab may have gone to another workspace since: what was meant for one is not done in the other.
function expectWorkspace({ session, request }: Visit<SignedIn>, sent: Sent): void {
  const shownIn = sent.text(WORKSPACE_FIELD)
  if (shownIn === '' || shownIn === session.tenant) return
  throw new PageRefusal(
    409,
    'You work in another workspace now',
    `This form was opened in another workspace, and you have gone to ${session.workspace} since. Nothing was done. Open the page anew; or go back there on the page of your account, in another tab, and reload this page: the form is sent again with what you typed.`,
    again(request),
  )
}

// Reloaded, this answer sends the form once more, which is then shown with what was typed: nothing of it need be kept here.
const signedOut = (request: FastifyRequest): PageRefusal =>
  new PageRefusal(
    403,
    'You are signed out',
    'Your session has ended, so nothing was done. Sign in, which opens another tab, and reload this page then: the form comes back with what you typed, except passwords.',
    { href: signInFor(request), label: 'Sign in', inNewTab: true },
  )

const signInFor = (request: FastifyRequest): string => `/sign-in?next=${encodeURIComponent(back(request))}`

const outlived = (request: FastifyRequest, message: string): Claimed => ({
  message,
  instead: new PageRefusal(403, 'This form is too old', 'Nothing was done. Open the page anew, and send it again.', again(request)),
})

const ELSEWHERE = 'You have signed in or out since this form was opened, so nothing was done. Send it again.'

// One that keeps none is told so at each try.
const withoutCookie = (baseUrl: string): string =>
  `Your browser sent no cookie with this form, so nothing was done. Send it again. If that does not help, let this site keep cookies, and open it as ${baseUrl}.`

function sentAlready(request: FastifyRequest): Claimed {
  const message = 'This form was sent already: what it asked for is done, under way or was broken off. Look before you send it again.'
  return { message, instead: new PageRefusal(409, 'This form was sent already', message, again(request)) }
}

const foreignForm = (request: FastifyRequest): PageRefusal =>
  new PageRefusal(
    403,
    'This form cannot be taken',
    'It did not come from a page of this service that is open in this browser, or you have signed in or out since. Open the page anew, and send it again.',
    again(request),
  )

/** The address that the form stood on. */
const again = (request: FastifyRequest) => ({ href: back(request), label: 'Open the page anew' })

const back = (request: FastifyRequest): string => `/${request.url.replace(/^[/\\]+/, '')}`

const queryOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(request.url.split('?').slice(1).join('?'))
