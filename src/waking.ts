// What a change wakes once it is committed, in web as in the worker. What could not be woken is found by sweeps and looks.
import type { Logger } from 'pino'
import { eventTypes } from './catalog.ts'
import { wakeThrough as wakeChannelsThrough } from './channels/sending/wake.ts'
import { foreseeThrough } from './flows/matching/foreseen.ts'
import { wakeFlowsThrough } from './flows/waking/wake.ts'
import { tellThrough } from './live/feed.ts'
import type { Database } from './postgres/sql.ts'
import { wakeThrough } from './webhooks/delivery/fan-out.ts'

export interface Woken {
  /** Gives jobs to endpoints, and to channels. */
  queue: ReturnType<typeof wakeThrough>['queue']
  queueChannels: ReturnType<typeof wakeChannelsThrough>['queue']
  /** Resolves when all that was to be woken so far has been. */
  all(): Promise<void>
}

export function wakeBehindChanges(db: Database, log: Logger): Woken {
  const failed = (what: string) => (err: unknown) => log.error({ err }, what)
  const channels = wakeChannelsThrough(db.sql, failed('channels could not be woken; the sweep will do it'))
  const endpoints = wakeThrough(db, failed('endpoints could not be woken; the sweep will do it'))
  const flows = wakeFlowsThrough(db.sql, failed('flows could not be woken; the sweep will do it'))
  const foreseen = foreseeThrough({ sql: db.sql, triggers: eventTypes, onError: failed('what events begin could not be read') })
  const told = tellThrough(db.sql, failed('live streams could not be told of changes; they look by themselves'))
  return {
    queue: endpoints.queue,
    queueChannels: channels.queue,
    async all() {
      await Promise.all([endpoints.allAwake(), channels.allAwake(), flows(), foreseen(), told()])
    },
  }
}
