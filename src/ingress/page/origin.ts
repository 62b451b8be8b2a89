// Where a form was sent from, by what the browser itself says. The forms' tokens keep other sites' forms out already; this does once more.
import type { IncomingHttpHeaders } from 'node:http'

/** Whether the browser says that a page of this service sent the form. One that says nothing may be a program. */
export function isOurs(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin = 'null' } = headers
  const site = headers['sec-fetch-site']
  const says = origin !== 'null' || site !== undefined
  return says && site !== 'none' && !isForeign(headers, baseUrl)
}

/** Whether the browser says that another site's page sent the form. */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site === 'cross-site') return true
  // Pages that tell no other site their address have the origin `null` in their own forms too. By http browsers name no site beside it, unless the host is
  // their own machine: there the form's token alone has to say whose it is.
  const isUnnamed = origin === 'null' && (site === 'same-origin' || (site === undefined && baseUrl.startsWith('http:')))
  if (origin === undefined || isUnnamed) return false
  // The host asked for counts as ours, as where the service is reached by another name: the cookies are those of that host.
  return origin !== baseUrl && URL.parse(origin)?.host !== host
}
