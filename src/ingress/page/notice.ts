// What a form did, told on the page that comes next: kept meanwhile in a cookie that only this service can write.
import { NOTICE_CHARS } from '../../limits/pages.ts'
import { type Keyring, seal, unseal } from '../../secrets.ts'
import { cookieName, cookieOptions } from './cookies.ts'
import type { SignedIn, Visit } from './page.ts'

interface Keeper {
  baseUrl: string
  keyring: Keyring
}

const PURPOSE = 'notice'

export function keepNotice({ baseUrl, keyring }: Keeper, { reply, session }: Visit, text: string): void {
  const sealed = seal(keyring, text.slice(0, NOTICE_CHARS), PURPOSE, ownerOf(session))
  reply.setCookie(cookieName(baseUrl, 'notice'), sealed, { ...cookieOptions(baseUrl), maxAge: NOTICE_SECONDS })
}

/** @returns the text, which is not shown again */
export function takeNotice({ baseUrl, keyring }: Keeper, { request, reply, session }: Visit): string | undefined {
  const name = cookieName(baseUrl, 'notice')
  const sealed = request.cookies[name]
  if (sealed === undefined) return undefined
  reply.clearCookie(name, cookieOptions(baseUrl))
  // It may have been kept before the person signed in, or out.
  return unseal(keyring, sealed, PURPOSE, ownerOf(session)) ?? unseal(keyring, sealed, PURPOSE, '')
}

const ownerOf = (session: SignedIn | undefined): string => session?.id ?? ''

const NOTICE_SECONDS = 60
