// The bot itself: https://core.telegram.org/bots/api#getme, #setwebhook, #getwebhookinfo, #deletewebhook
import type { Connector } from '../connector.ts'
import { id, text } from '../value.ts'
import { call } from './call.ts'
import { ALLOWED_UPDATES } from './read.ts'

/** Telegram's own default. More at once come in worse order. */
const CONNECTIONS_MAX = 40

export const connector: Connector = {
  async who(bot) {
    const told = await call(bot, 'getMe')
    if (told.refused !== undefined) return told
    const { id: user, username } = told.value
    return { value: { id: id(user) ?? '', name: text(username) ?? null } }
  },

  async register(bot, { url, credentials }) {
    const body = { url, secret_token: credentials.secret, allowed_updates: ALLOWED_UPDATES, max_connections: CONNECTIONS_MAX }
    const told = await call(bot, 'setWebhook', body)
    return told.refused === undefined ? { value: true } : told
  },

  // Another installation may have taken the bot over meanwhile: its registration is none of ours.
  async unregister(bot, { url }) {
    const told = await call(bot, 'getWebhookInfo')
    if (told.refused !== undefined) return told
    if (told.value['url'] !== url) return { value: true }
    const deleted = await call(bot, 'deleteWebhook', { drop_pending_updates: false })
    return deleted.refused === undefined ? { value: true } : deleted
  },

  async check(bot, { url }, connect) {
    const told = await call(bot, 'getWebhookInfo')
    if (told.refused !== undefined) return [told.refused]
    const { url: registered, last_error_message: error, pending_update_count: pending } = told.value
    const elsewhere = registered === url ? [] : [`Telegram sends updates to ${text(registered) ?? 'nowhere'}; run: ${connect}`]
    const failing = text(error) && pending ? [`${Number(pending)} updates wait at Telegram, which says: ${text(error)}`] : []
    return [...elsewhere, ...failing]
  },

  byHand: ({ url }, registered) =>
    registered
      ? []
      : [`Give the service an https address (BASE_URL), then run channel connect: Telegram sends updates to ${url} alone then.`],
}
