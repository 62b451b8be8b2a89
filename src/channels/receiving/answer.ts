// Telegram shows that a pressed button is being looked after until it is answered: https://core.telegram.org/bots/api#answercallbackquery
// Best effort: what was pressed is a message already.
import type { Ref } from '../../ids.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Keyring } from '../../secrets.ts'
import { open } from '../accounts/credentials.ts'
import { API_URLS } from '../accounts/shown.ts'
import { findSealed } from '../accounts/store.ts'
import { ask } from '../platforms/ask.ts'

export interface AnswerContext {
  sql: Sql
  client: Pick<OutboundClient, 'get' | 'post'>
  keyring: Keyring
}

export async function answerPresses({ sql, client, keyring }: AnswerContext, { tenant, id }: Ref, queries: string[]): Promise<void> {
  const channel = await findSealed(sql, tenant, id)
  if (channel?.platform !== 'telegram') return
  const { token = '' } = open(keyring, tenant, id, channel.credentials)
  const bot = { client, tenant, token, apiUrl: channel.settings.api_url ?? (API_URLS.telegram as string) }
  const answered = queries.map(query =>
    ask(bot, { path: `/bot${token}/answerCallbackQuery`, body: { callback_query_id: query } }, () => undefined),
  )
  await Promise.all(answered)
}
