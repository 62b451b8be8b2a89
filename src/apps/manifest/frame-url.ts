// The address of a view of the app's own (`custom:`). A browser of the shop's staff loads it, so the rule is the browser's: no setting relaxes it.
import { isIPv4 } from 'node:net'
import { checkUrl, type UrlProblem } from '../../outbound/address.ts'

const PUBLIC = { allowPrivate: false, allowOrigins: [] }

/** @returns why a frame may not show the address */
export function checkFrameUrl(text: string): UrlProblem | undefined {
  // A fragment leads nowhere else: a page finds its own place by it.
  const problem = checkUrl(withoutFragment(text), PUBLIC) ?? checkSpelling(text)
  return problem?.reason === undefined
    ? problem
    : { code: problem.code, message: `${problem.reason}; use a host that the internet can reach.` }
}

// One that could not stand in an address stays, and is refused with it.
const withoutFragment = (text: string): string => text.replace(/#[^\s\\]*$/, '')

// The parser turns every spelling of an IPv4 address into dotted decimals. One that was written otherwise hides where it leads.
function checkSpelling(text: string): UrlProblem | undefined {
  const { hostname } = new URL(text)
  if (!isIPv4(hostname)) return undefined
  const written = /^https:\/\/([^/?#:]*)/i.exec(text)?.[1]
  return written === hostname
    ? undefined
    : {
        code: 'private_host',
        message: `${hostname} is an IP address in another spelling; write the name of a host, or ${hostname} itself.`,
      }
}
