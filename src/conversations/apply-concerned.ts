// Which conversations a set of updates concerns.
import type { Account } from '../channels/accounts/accounts.ts'
import { type Met, otherNames } from '../contacts/on-channel.ts'
import { isId } from '../ids.ts'
import type { Tx } from '../postgres/sql.ts'
import { partsOf } from './apply-change.ts'
import { type Applying, otherThreads } from './applying.ts'
import type { Update } from './update.ts'
import * as store from './update-store.ts'

export interface Concerned {
  named: store.Named
  /** Of conversations. */
  ids: string[]
  aliases: Applying['aliases']
}

/** Locks nothing. @param met those who wrote */
export async function concernedBy(tx: Tx, tenant: string, channel: Account, all: Update[], met: Met[]): Promise<Concerned> {
  const named = namesOf(channel, all, met)
  const { ids, threads } = await store.concerned(tx, tenant, named)
  const aliases = await otherNames(tx, tenant, channel, silentThreads(channel, all, met, threads))
  if (aliases.size === 0) return { named, ids, aliases }
  const others = await store.concerned(tx, tenant, { channel: channel.id, threads: [...aliases.values()].flat(), external: [], ours: [] })
  return { named, ids: [...new Set([...ids, ...others.ids])], aliases }
}

/**
 * The threads in which nothing was said so far: the conversation of the same person may go by another name. A message tells all names of who wrote it
 * or one of them, an echo tells one.
 */
function silentThreads(channel: Account, all: Update[], met: Met[], spoken: Set<string>): string[] {
  const found = met.filter(each => otherThreads(channel, each).some(thread => spoken.has(thread)))
  const known = new Set([...spoken, ...found.flatMap(each => each.person.ids)])
  const threads = all.flatMap(update => (update.kind === 'message' || update.kind === 'echo' ? [update.thread] : []))
  return [...new Set(threads)].filter(each => !known.has(each))
}

function namesOf(channel: Account, all: Update[], met: Met[]): store.Named {
  const named = { threads: new Set(met.flatMap(each => otherThreads(channel, each))), external: new Set<string>(), ours: new Set<string>() }
  for (const update of all) {
    if (update.kind === 'ignored') continue
    named.threads.add(update.thread)
    const ids = [
      'external_id' in update ? update.external_id : undefined,
      'our_id' in update ? update.our_id : undefined,
      'said' in update ? update.said.in_reply_to : undefined,
      ...partsOf(update),
    ]
    for (const id of ids) if (id !== undefined) (isId('msg', id) ? named.ours : named.external).add(id)
  }
  return { channel: channel.id, threads: [...named.threads], external: [...named.external], ours: [...named.ours] }
}
