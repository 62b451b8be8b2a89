// A number of the WhatsApp Cloud API, and the business account whose callbacks it gets:
// https://developers.facebook.com/docs/whatsapp/business-management-api/guides/set-up-webhooks
import type { Connector } from '../connector.ts'
import { byHandAfter, verifyTokenOf } from '../graph/by-hand.ts'
import { call } from '../graph/call.ts'
import { text } from '../value.ts'

export const connector: Connector = {
  async who(joined) {
    const account = joined.account as string
    const told = await call(joined, `/${account}?fields=id,display_phone_number,verified_name`)
    if (told.refused !== undefined) return told
    return { value: { id: account, name: text(told.value['verified_name']) ?? text(told.value['display_phone_number']) ?? null } }
  },

  register: (joined, { url, credentials }) =>
    joined.waba === undefined
      ? undefined
      : call(joined, `/${joined.waba}/subscribed_apps`, { override_callback_uri: url, verify_token: credentials.verify_token ?? '' }).then(
          told => (told.refused === undefined ? { value: true } : told),
        ),

  byHand: ({ url, made }, registered) =>
    registered
      ? ['In the app’s dashboard, under WhatsApp, Configuration, Webhook fields, subscribe to: messages, smb_message_echoes.']
      : [
          `In the app’s dashboard, under WhatsApp, Configuration, set the callback URL to ${url}`,
          `and the verify token to ${verifyTokenOf(made)}.`,
          'Under Webhook fields subscribe to: messages, smb_message_echoes.',
        ],
  byHandAfter,
}
