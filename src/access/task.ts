// What tasks/access/mail-reset.ts calls.
import type { Sql } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import { mailReset } from './reset.ts'

const context = provided<{ sql: Sql; baseUrl: string }>('links for new passwords')

export const provideResets = context.provide
export const sendReset = (email: string): Promise<void> => {
  const { sql, baseUrl } = context.get()
  return mailReset(sql, email, baseUrl)
}
