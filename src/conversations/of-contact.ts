// The conversations of a contact follow it: see contacts/keepers.ts.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { Keeper } from '../contacts/keepers.ts'
import { changedPart } from '../live/feed.ts'
import { combine } from '../postgres/combine.ts'
import type { Tx } from '../postgres/sql.ts'
import { heldOf, newChange, readContacts, setHeld, write } from './change.ts'
import { nextTime } from './conversation.ts'
import { close } from './conversations.ts'
import * as store from './of-contact-store.ts'
import { holdAll } from './store.ts'
import { withdraw } from './takeover.ts'
import { findUnsettled } from './update-store.ts'

export const keeper: Keeper = { move, block }

async function move(tx: Tx, { tenant }: Caller, from: string, to: string, most: number): Promise<number> {
  const { given } = await combine(tx, { reads: { given: store.give(tenant, from, to, most) } })
  if (given.length > 0)
    await combine(tx, {
      writes: [
        changedPart(
          tx,
          tenant,
          given.map(({ id }) => ({ conversation: id as string })),
        ),
      ],
    })
  return given.length
}

/** Closes what is open of a contact who is being blocked, and takes back what the assistant has not begun to send. */
async function block(tx: Tx, caller: Caller, contact: string): Promise<void> {
  const held = await holdAll(tx, caller.tenant, await store.openOf(tx, caller.tenant, contact))
  if (held.length === 0) return
  const change = newChange(caller, held, await findUnsettled(tx, caller.tenant, held))
  await readContacts(tx, change)
  for (const { conversation } of held) {
    const { id } = conversation
    const at = nextTime(conversation, now())
    await withdraw(tx, change, id)
    close(change, heldOf(change, id), caller, at)
    const after = heldOf(change, id)
    setHeld(change, { ...after, conversation: { ...after.conversation, updated_at: at } })
    change.audit.push({ caller, action: 'conversation.update', subject: id, details: { status: 'closed', contact_id: contact } })
  }
  await write(tx, change)
}
