// A failing channel is probed with one message: the channel goes on as soon as one is answered.
import { claimProbe } from './claim-store.ts'
import { send } from './send.ts'
import { heavyAsk, type Slice } from './slice.ts'

export async function probe(slice: Slice): Promise<void> {
  const { context, channel, token, lease, target, places } = slice
  if (!target || places.reserve(1) === 0) return
  const found = await claimProbe(
    context.sql,
    { channel, token, room: 1, conversation: target.pace.conversation, heavy: heavyAsk(slice) },
    lease.probed,
  )
  if (!found) return
  slice.probing = found.message_id
  await send(slice, found, places.take())
  slice.probing = null
}
