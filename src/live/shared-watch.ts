// The streams of a workspace share one watch of its changes: it begins with the first of them and ends with the last.
import type { LiveStream } from '../ingress/live.ts'
import type { Changes, Watcher } from './changes.ts'

interface Watching {
  tenant: string
  stream: LiveStream
}

interface Shared<Member> {
  members: Set<Member>
  leave: Promise<() => void>
}

/**
 * @param watcherOf what is done with the changes of a workspace, for those who watch it then
 * @returns has a member watch until its stream is over; resolves when it misses no change from then on, and rejects where the watch failed
 */
export function shareWatches<Member extends Watching>(
  changes: Changes,
  watcherOf: (tenant: string, members: Set<Member>) => Watcher,
): (member: Member) => Promise<void> {
  const watches = new Map<string, Shared<Member>>()

  function begin(tenant: string): Shared<Member> {
    const members = new Set<Member>()
    const shared = { members, leave: changes.watch(tenant, watcherOf(tenant, members)) }
    // A watch that failed is empty soon, for its members end.
    shared.leave.catch(() => {})
    watches.set(tenant, shared)
    return shared
  }

  return async member => {
    const { tenant, stream } = member
    const shared = watches.get(tenant) ?? begin(tenant)
    shared.members.add(member)
    stream.over.addEventListener('abort', () => {
      shared.members.delete(member)
      if (shared.members.size > 0 || watches.get(tenant) !== shared) return
      watches.delete(tenant)
      shared.leave.then(
        leave => leave(),
        () => {},
      )
    })
    await shared.leave
  }
}
