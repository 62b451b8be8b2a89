// What changed in workspaces that are watched, as this process learns it: at once by NOTIFY, and at the latest a second later by looking. The feed is read on
// by (epoch, xid) after what the last look could see, whatever was under way then included, so a change that commits late is seen as well, and none twice.
import type { Logger } from 'pino'
import { LIVE_LOOK_MS, LIVE_LOOKED_AT } from '../limits/live.ts'
import { batched } from '../postgres/batch.ts'
import { type Listening, listen } from '../postgres/listen.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Changed, Typing } from './change.ts'
import * as store from './feed-store.ts'

/** A change, and when it was made. */
export interface Seen extends Changed {
  /** Milliseconds since 1970. */
  at: number
  /** Its JSON, where the look that found it has rendered it. */
  rendered?: Rendered
}

export interface Rendered {
  json: string
  /** When the look began, by performance.now(). */
  asOf: number
}

/** One who watches a workspace. None of these may throw. */
export interface Watcher {
  /** What changed is wanted as it is now. */
  rendered?: true
  /** In the order of their commits; of several changes of one thing the last. */
  changed(changes: Seen[]): void
  typing?(typing: Typing): void
  /** Changes were missed, for there were too many: everything is to be read anew. */
  lost(): void
}

export interface Changes {
  /**
   * Watches all changes of a workspace that commit from the moment on at which this resolves; some that were made just before may be among them.
   * @returns ends the watch
   */
  watch(tenant: string, watcher: Watcher): Promise<() => void>
  close(): Promise<void>
}

interface Watched {
  watchers: Set<Watcher>
  /** Undefined until it is known where to read on. */
  position: store.Position | undefined
  known: Promise<void>
}

interface Look {
  tenant: string
  /** Something has changed there: what the look finds is to be read. */
  isTold: boolean
}

export function createChanges(sql: Queryable, databaseUrl: string, log: Logger): Changes {
  const tenants = new Map<string, Watched>()
  let listening: Listening | undefined
  let timer: NodeJS.Timeout | undefined
  let failing = false

  const look = batched<Look, void>(async asked => {
    const told = new Set(asked.flatMap(each => (each.isTold ? [each.tenant] : [])))
    const places = [...new Set(asked.map(each => each.tenant))].flatMap(tenant => {
      const { position, watchers } = tenants.get(tenant) ?? {}
      const rendered = told.has(tenant) && [...(watchers ?? [])].some(each => each.rendered)
      return position ? [{ tenant, ...position, rendered }] : []
    })
    const asOf = performance.now()
    if (places.length > 0) take(places, asOf, await store.changesSince(sql, places, LIVE_LOOKED_AT))
    return asked.map(() => undefined)
  })

  function take(places: store.Place[], asOf: number, { position, rows }: store.Found): void {
    const found = new Map(places.map(({ tenant }) => [tenant, [] as store.FeedRow[]]))
    for (const row of rows) found.get(row.tenant_id)?.push(row)
    for (const [tenant, changes] of found) {
      const watched = tenants.get(tenant)
      if (!watched) continue
      watched.position = position
      if (changes.length >= LIVE_LOOKED_AT) for (const watcher of watched.watchers) watcher.lost()
      else if (changes.length > 0) for (const watcher of watched.watchers) watcher.changed(latest(changes, asOf))
    }
  }

  function lookAt(which: Iterable<string>, isTold = false): void {
    for (const tenant of which)
      look({ tenant, isTold }).then(
        () => {
          failing = false
        },
        (err: unknown) => {
          // What was missed is found by the next look.
          if (!failing) log.warn({ err }, 'changes could not be read; live streams are late')
          failing = true
        },
      )
  }

  function heard(message: string): void {
    const { changed, typing } = store.toldIn(message)
    if (changed)
      lookAt(
        changed.filter(tenant => tenants.has(tenant)),
        true,
      )
    if (typing) for (const watcher of tenants.get(typing.tenant)?.watchers ?? []) watcher.typing?.(typing.what)
  }

  function begin(tenant: string): Watched {
    listening ??= listen(databaseUrl, store.CHANNEL, heard, () => lookAt(tenants.keys()))
    timer ??= setInterval(() => lookAt(tenants.keys()), LIVE_LOOK_MS).unref()
    const watched: Watched = {
      watchers: new Set(),
      position: undefined,
      known: store.positionNow(sql).then(position => {
        watched.position = position
      }),
    }
    tenants.set(tenant, watched)
    return watched
  }

  return {
    async watch(tenant, watcher) {
      const watched = tenants.get(tenant) ?? begin(tenant)
      watched.watchers.add(watcher)
      const leave = (): void => {
        watched.watchers.delete(watcher)
        if (watched.watchers.size === 0 && tenants.get(tenant) === watched) tenants.delete(tenant)
      }
      await watched.known.catch(error => {
        leave()
        throw error
      })
      return leave
    },
    async close() {
      clearInterval(timer)
      tenants.clear()
      await listening?.close()
    },
  }
}

function latest(rows: store.FeedRow[], asOf: number): Seen[] {
  const last = new Map<string, Seen>()
  for (const row of rows) {
    const key = `${row.conversation_id} ${row.message_id ?? ''}`
    last.delete(key)
    last.set(key, { ...seenOf(row), ...(row.json != null && { rendered: { json: row.json, asOf } }) })
  }
  return [...last.values()]
}

export const seenOf = ({ conversation_id: conversation, message_id: message, at }: store.FeedRow): Seen => ({
  conversation,
  ...(message !== null && { message }),
  at: at.getTime(),
})
