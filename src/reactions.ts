// What follows from a change, whichever process makes it.
import type { Keeper } from './contacts/keepers.ts'
import { setKeepers } from './contacts/keepers.ts'
import { keeper as conversationKeeper } from './conversations/of-contact.ts'
import { type Listener, setListeners } from './events/emit.ts'
import { flowListener } from './flows/matching/listen.ts'
import { keeper as orderKeeper } from './orders/of-contact.ts'
import { keeper as recordKeeper } from './records/of-contact.ts'
import { deliveryListener } from './webhooks/delivery/fan-out.ts'

/** What listens to events. */
const listeners: Listener[] = [deliveryListener, flowListener]

/** What follows a contact that is merged or blocked, in the order in which it is locked. */
const keepers: Keeper[] = [orderKeeper, conversationKeeper, recordKeeper]

/** To be called once by each process before it changes anything. */
export function setReactions(): void {
  setListeners(listeners)
  setKeepers(keepers)
}
