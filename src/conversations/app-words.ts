// Words of an app to a customer: they are neither a person's nor the assistant's, so no takeover begins and nothing is resumed.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { Tx } from '../postgres/sql.ts'
import { heldOf } from './change.ts'
import { open } from './open.ts'
import { refuseEmpty, refuseUnfit } from './outgoing.ts'
import * as refusals from './refusals.ts'
import { say } from './reply.ts'
import type { Author, Message } from './schema.ts'

/**
 * Writes to the customer as an app. A closed conversation goes on with it. The platform's usual time for replies holds, as for the assistant.
 * @throws {Problem} 404; 422 for a text that the channel does not take; 409 with one of the codes of refusals.ts
 */
export async function sayAsApp(
  tx: Tx,
  caller: Caller,
  id: string,
  { app, text }: { app: { id: string; name: string }; text: string },
): Promise<Message> {
  refuseEmpty({ text })
  const { change, channel, otherOpen } = await open(tx, caller, id, [])
  const held = heldOf(change, id)
  refuseUnfit(channel, { text }, [])
  refusals.ofChannel(channel)
  refusals.ofContact(held)
  refusals.ofClosed(held, otherOpen)
  refusals.ofAssistantsWindow(channel, held, now())
  const author: Author = { type: 'app', id: app.id, name: app.name, via: 'flow' }
  const status = channel.platform === 'web' ? 'sent' : 'queued'
  return say(tx, change, held, { direction: 'outbound', author, status, text })
}
