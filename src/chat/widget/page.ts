// What the shop's page says to the script: the attributes of its tag.

export interface Page {
  /** Where the service is, without a slash at its end. */
  base: string
  channel: string
  /** Who the visitor is, signed by the shop's server. */
  identity: string | undefined
  /** Words instead of ours. */
  texts: Record<string, string>
  lang: string
}

/** @returns undefined where no tag names a channel: then there is nothing to show */
export function readPage(): Page | undefined {
  const tag = (document.currentScript ?? document.querySelector('script[data-channel][src*="/chat.js"]')) as HTMLScriptElement | null
  const channel = tag?.dataset['channel']
  if (!tag || !channel) {
    console.error('Shopdesk chat: the script tag has no data-channel.')
    return undefined
  }
  const { identity, texts } = tag.dataset
  const base = tag.src.replace(/\/chat\.js(\?.*)?$/, '')
  return { base, channel, identity: identity || undefined, texts: parsed(texts), lang: document.documentElement.lang }
}

function parsed(json: string | undefined): Record<string, string> {
  try {
    const value: unknown = JSON.parse(json || '{}')
    return Object.fromEntries(Object.entries(value as object).filter(([, text]) => typeof text === 'string'))
  } catch {
    console.error('Shopdesk chat: data-texts is not JSON.')
    return {}
  }
}

/** The address without its query and fragment, which may hold what is no business of the shop's staff. */
export const pageAddress = (): string => (location.origin + location.pathname).slice(0, ADDRESS_CHARS)

/** What an attribute of a contact takes. */
const ADDRESS_CHARS = 500

/** What a mail's link holds. */
export interface Link {
  /** Goes on with the talk, once. */
  secret: string
  /** The end of the id of the visitor whose talk it is. */
  of: string | undefined
}

export function linkOf(): Link | undefined {
  const [, secret, of] = LINK.exec(location.hash) ?? []
  return secret ? { secret, of } : undefined
}

/** Takes it out of the address: a page that is copied has it no more. */
export function dropLink(): void {
  if (linkOf()) history.replaceState(history.state, '', location.pathname + location.search)
}

const LINK = /^#shopdesk-chat=(\w{1,512})(?:\.(\w+))?$/
