// A page of Messenger, or an account of Instagram:
// https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks,
// https://developers.facebook.com/docs/instagram-platform/webhooks
import type { Connector, Joined } from '../connector.ts'
import { byHandAfter, verifyTokenOf } from '../graph/by-hand.ts'
import { call } from '../graph/call.ts'
import { given, name, text } from '../value.ts'

const PAGE_FIELDS = [
  'messages',
  'messaging_postbacks',
  'message_deliveries',
  'message_reads',
  'message_echoes',
  'message_edits',
  'message_reactions',
  'standby',
]
const INSTAGRAM_FIELDS = ['messages', 'messaging_postbacks', 'messaging_seen', 'message_reactions', 'message_edit', 'standby']

/** Tokens of Instagram's own login are of another host than Facebook's, live for 60 days, and can be renewed. */
const isInstagramLogin = (apiUrl: string): boolean => URL.parse(apiUrl)?.hostname === 'graph.instagram.com'

async function subscribe(joined: Joined, fields: string[]) {
  const told = await call(joined, `/${joined.account}/subscribed_apps`, { subscribed_fields: fields.join(',') })
  return told.refused === undefined ? ({ value: true } as const) : told
}

function stepsOf(what: string, fields: string[]): Connector['byHand'] {
  return ({ url, made }) => [
    `In the app’s dashboard, under Webhooks, choose ${what} and set the callback URL to ${url}`,
    `and the verify token to ${verifyTokenOf(made)}. An app has one address for all its accounts: any of their channels will do.`,
    `Subscribe to: ${fields.join(', ')}.`,
  ]
}

export const facebook: Connector = {
  async who(joined) {
    const told = await call(joined, `/${joined.account}?fields=id,name`)
    return told.refused === undefined ? { value: { id: joined.account as string, name: text(told.value['name']) ?? null } } : told
  },
  // https://developers.facebook.com/docs/messenger-platform/identity/user-profile
  async profile(joined, person) {
    const told = await call(joined, `/${encodeURIComponent(person)}?fields=first_name,last_name`)
    if (told.refused !== undefined) return told
    const { first_name, last_name } = told.value
    return { value: given({ name: name([text(first_name), text(last_name)].filter(Boolean).join(' ')) }) }
  },
  register: joined => subscribe(joined, PAGE_FIELDS),
  byHand: stepsOf('Page', PAGE_FIELDS),
  byHandAfter,
}

export const instagram: Connector = {
  async who(joined) {
    const told = await call(joined, `/${joined.account}?fields=id,username`)
    return told.refused === undefined ? { value: { id: joined.account as string, name: text(told.value['username']) ?? null } } : told
  },
  // https://developers.facebook.com/docs/messenger-platform/instagram/features/user-profile
  async profile(joined, person) {
    const told = await call(joined, `/${encodeURIComponent(person)}?fields=name,username`)
    if (told.refused !== undefined) return told
    return { value: given({ name: name(told.value['name']), handle: name(told.value['username']) }) }
  },
  // https://developers.facebook.com/docs/instagram-platform/reference/refresh_access_token
  async renewToken(joined) {
    const told = await call(joined, `/refresh_access_token?grant_type=ig_refresh_token&access_token=${encodeURIComponent(joined.token)}`)
    if (told.refused !== undefined) return told
    const token = text(told.value['access_token'])
    return token ? { value: token } : { refused: 'It answered without a token.' }
  },
  // With Facebook's login an account is subscribed to through its page.
  register: joined => (isInstagramLogin(joined.apiUrl) ? subscribe(joined, INSTAGRAM_FIELDS) : undefined),
  byHand: stepsOf('Instagram', INSTAGRAM_FIELDS),
  byHandAfter,
}
