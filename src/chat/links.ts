// The links in mails about unread answers: one goes on with the talk, once and within a week; one ends such mails.
import { createHash } from 'node:crypto'
import type { Site } from '../channels/accounts/site.ts'
import { CHAT_LINK_DAYS } from '../limits/chat.ts'
import type { Queryable } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { randomBase62 } from '../secrets.ts'
import * as store from './mail-store.ts'

/** The fragment by which the script on the shop's page knows such a link: it reaches no server and no log. */
export const RESUME = 'shopdesk-chat='

/** 238 bits. */
const SECRET_CHARS = 40

export const newSecret = (): string => randomBase62(SECRET_CHARS)
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * @param by the visitor that the browser is so far: a browser whose first answer was lost uses the link again
 * @returns the visitor whose talk the link goes on with. @throws {Problem} 422 once another has used it, or it is too old, or is none
 */
export async function resumed({ sql }: { sql: Queryable }, site: Site, secret: string, by: string | undefined): Promise<string> {
  const found = await store.use(sql, site, hashOf(secret), by ?? null, CHAT_LINK_DAYS)
  if (found) return found
  throw invalid({
    field: 'resume',
    code: 'link_used',
    message: `is no link of this chat any more: each works once, for ${CHAT_LINK_DAYS} days.`,
  })
}
