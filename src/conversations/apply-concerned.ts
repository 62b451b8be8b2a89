// Which conversations a set of updates concerns.
import type { Account } from '../channels/accounts/accounts.ts'
import { type Met, otherNames } from '../contacts/on-channel.ts'
import { isId } from '../ids.ts'
import type { Tx } from '../postgres/sql.ts'
import { partsOf } from './apply-change.ts'
import { type Applying, otherThreads } from './applying.ts'
import type { Held } from './conversation.ts'
import type { Update } from './update.ts'
import * as store from './update-store.ts'

/** What the updates name by themselves. */
export function namesOf({ id }: Account, all: Update[]): store.Named {
  const named = { threads: new Set<string>(), external: new Set<string>(), ours: new Set<string>() }
  for (const update of all) {
    if (update.kind === 'ignored') continue
    const names = 'from' in update ? update.from.ids : 'names' in update ? update.names : []
    for (const thread of [update.thread, ...(names ?? [])]) named.threads.add(thread)
    const ids = [
      'external_id' in update ? update.external_id : undefined,
      'our_id' in update ? update.our_id : undefined,
      'said' in update ? update.said.in_reply_to : undefined,
      ...partsOf(update),
    ]
    for (const id of ids) if (id !== undefined) (isId('msg', id) ? named.ours : named.external).add(id)
  }
  return { channel: id, threads: [...named.threads], external: [...named.external], ours: [...named.ours] }
}

export interface Others {
  held: Held[]
  aliases: Applying['aliases']
}

/** Locks the conversations of the same people under names that the updates do not tell. @param met those who wrote @param held what is locked */
export async function holdOthers(tx: Tx, channel: Account, tenant: string, all: Update[], met: Met[], held: Held[]): Promise<Others> {
  const hold = async (threads: string[], before: Held[]): Promise<Held[]> => {
    const known = new Set(before.map(each => each.conversation.id))
    const found = await store.holdConcerned(tx, { tenant, named: { channel: channel.id, threads, external: [], ours: [] } })
    return [...before, ...found.filter(each => !known.has(each.conversation.id))]
  }
  const told = new Set(namesOf(channel, all).threads)
  const known = await hold(
    met.flatMap(each => otherThreads(channel, each)).filter(each => !told.has(each)),
    held,
  )
  const aliases = await otherNames(tx, tenant, channel, silentThreads(channel, all, met, known))
  return { held: await hold([...aliases.values()].flat(), known), aliases }
}

const NAMES_A_PERSON: Update['kind'][] = ['message', 'echo', 'renamed', 'reachability']

/**
 * The threads in which no conversation is open: that of the same person may go by another name. A message tells all names of who wrote it or one of them,
 * an echo tells one.
 */
function silentThreads(channel: Account, all: Update[], met: Met[], held: Held[]): string[] {
  const spoken = new Set(held.filter(each => each.conversation.status === 'open').map(each => each.thread))
  const found = met.filter(each => otherThreads(channel, each).some(thread => spoken.has(thread)))
  const known = new Set([...spoken, ...found.flatMap(each => each.person.ids)])
  const threads = all.flatMap(update => (NAMES_A_PERSON.includes(update.kind) && 'thread' in update ? [update.thread] : []))
  return [...new Set(threads)].filter(each => !known.has(each))
}
