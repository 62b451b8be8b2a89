// A conversation, locked to be written in, with what its rules look at. Of several at once, that is two statements.
import type { Caller } from '../caller.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import * as accounts from '../channels/accounts/accounts.ts'
import * as contacts from '../contacts/contacts.ts'
import { gathered } from '../postgres/side-by-side.ts'
import type { Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { namedBy, nameValue } from './author.ts'
import { type Change, newChange } from './change.ts'
import { ASKED, type Ask, readAll } from './open-store.ts'
import type { Message } from './schema.ts'
import * as store from './store.ts'

export interface Opened {
  change: Change
  channel: Account
  /** The messages of the conversation that were asked for. */
  seen: Map<string, Message>
  /** The id of another conversation of the thread that is open. */
  otherOpen: string | undefined
  /** What was said to the customer since the time that was asked for, the oldest first. */
  recent: Message[]
  /** The name of who asks, as far as it is known. */
  writer: string | null
}

/**
 * Locks a conversation, and reads what writing in it needs.
 * @param named ids of messages, two at most
 * @param since ISO 8601: what was said since then is read as well
 * @throws {Problem} 404
 */
export async function open(
  tx: Tx,
  caller: Caller,
  id: string,
  named: (string | undefined)[],
  since: string | null = null,
): Promise<Opened> {
  const { tenant } = caller
  const held = await store.hold(tx, { tenant, id })
  if (!held) throw notFound('conversation')
  const found = await readOne(tx, { tenant, held, named: named.filter(each => each !== undefined), since, author: namedBy(caller) })
  const seen = (found.seen ?? []).map(store.asMessage)
  const change = newChange(caller, [held], [...(found.unsettled ?? []).map(store.asMessage), ...seen])
  change.contacts.set(held.conversation.contact.id, contacts.snapshotOf(found.contact))
  return {
    change,
    channel: accounts.asAccount(found.channel),
    seen: new Map(seen.map(({ message }) => [message.id, message])),
    otherOpen: found.other ?? undefined,
    recent: (found.recent ?? []).map(row => store.asMessage(row).message),
    writer: found.author,
  }
}

const readOne = gathered((tx: Tx, asks: Ask[]) =>
  readAll<contacts.SnapshotRow, accounts.AccountRow>(tx, asks, {
    contact: contacts.snapshotPart(ASKED.tenant, ASKED.contact),
    channel: accounts.part(ASKED.tenant, ASKED.channel),
    author: nameValue(ASKED.tenant, ASKED),
  }),
)
