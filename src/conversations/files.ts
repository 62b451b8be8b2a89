// A file of a message has come, or can no longer be had: the message says so. It is no event, for the message was told long ago.
import type { MessageFile } from '../attachments/schema.ts'
import type { Tx } from '../postgres/sql.ts'
import * as store from './file-store.ts'

/** Nothing changes where the message, or its file, is gone. @param message its id */
export async function fileChanged(tx: Tx, tenant: string, message: string, file: MessageFile): Promise<void> {
  const held = await store.holdMessage(tx, tenant, message)
  if (!held?.attachments.some(({ id }) => id === file.id)) return
  const attachments = held.attachments.map(each => (each.id === file.id ? file : each))
  await store.saveMessage(tx, tenant, { ...held, attachments })
}
