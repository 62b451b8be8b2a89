// Recurring work, one line each, done by one elected process. It runs on plain timers rather than the queue's cron, which is minute-grained; and a stuck
// queue cannot host its own rescue.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { pruneResets } from './access/reset-store.ts'
import { pruneAddresses, pruneSessions } from './access/session-store.ts'
import { pruneWindows } from './access/window-store.ts'
import { folder } from './analytics/fold.ts'
import { pruneAnalytics } from './analytics/prune-store.ts'
import { queueRecounts } from './analytics/recount-store.ts'
import { pruneUninstalled } from './apps/leftovers.ts'
import { pruneRevisions } from './apps/store.ts'
import { leases as attachments } from './attachments/lease-store.ts'
import { prune as pruneAttachments } from './attachments/store.ts'
import { leases as callbacks, requeueForgotten } from './callbacks/lease-store.ts'
import { pruneCallbacks } from './callbacks/prune-store.ts'
import { sweepCallbacks } from './callbacks/sweep-store.ts'
import { queueRenewals } from './channels/accounts/renewal-store.ts'
import { leases as channels } from './channels/sending/lease.ts'
import { pruneAttempts, pruneQueues } from './channels/sending/prune-store.ts'
import { sweepChannels } from './channels/sending/sweep.ts'
import { pruneChatMails } from './chat/mail-store.ts'
import { now } from './clock.ts'
import { endAbandoned as endAbandonedExports, prune as pruneExports } from './exports/store.ts'
import { sweepMatching } from './flows/matching/matching.ts'
import { pruneRuns } from './flows/prune-store.ts'
import { leases as flows } from './flows/running/lease.ts'
import { sweepRuns } from './flows/running/lease-store.ts'
import { prune as pruneImportChunks } from './imports/chunk-store.ts'
import { prune as pruneImports } from './imports/error-store.ts'
import { endDeadUploads, leases as imports } from './imports/lease-store.ts'
import { KNOWN_ADDRESS_DAYS } from './limits/access.ts'
import { FOLD_INTERVAL_MS } from './limits/analytics.ts'
import { RENEW_TOKENS_INTERVAL_MS } from './limits/channels.ts'
import { HELD_BACK_MAILS_INTERVAL_MS } from './limits/notifications.ts'
import { AWAITED_INTERVAL_MS } from './limits/payments.ts'
import { ELECTION_INTERVAL_MS, LIVENESS_INTERVAL_MS, LOOKOUT_INTERVAL_MS, RECURRING_AGAIN_MS, SWEEP_INTERVAL_MS } from './limits/queue.ts'
import { PRUNE_CALLBACKS_INTERVAL_MS, PRUNE_EVENTS_INTERVAL_MS, PRUNE_INTERVAL_MS, PRUNE_LIVE_INTERVAL_MS } from './limits/retention.ts'
import { pruneLive } from './live/feed-store.ts'
import { emptyOldLinks, pruneMails } from './mail/mail.ts'
import { mailHeldBack, pruneNotifications } from './notifications/notifications.ts'
import { pruneClients } from './oauth/client-store.ts'
import { pruneGrants } from './oauth/grant-store.ts'
import { pruneTokens } from './oauth/token-store.ts'
import { endWaits } from './payments/ledger/apply.ts'
import { pruneTaken } from './payments/ledger/waiting-store.ts'
import { connect as connectTo } from './postgres/connect.ts'
import { elect } from './postgres/election.ts'
import { keepEpoch } from './postgres/epoch.ts'
import { prune as pruneIdempotencyKeys } from './postgres/idempotency.ts'
import { type Prune, pruneAll } from './postgres/prune.ts'
import { BY_INDEX, type Sql } from './postgres/sql.ts'
import { pruneUsedForms } from './postgres/used-forms.ts'
import { prune as pruneBegunWork } from './queue/begun-work-store.ts'
import type { Leased } from './queue/leased.ts'
import { releaseDead } from './queue/liveness.ts'
import { createLookout } from './queue/lookout.ts'
import { createRequeuing } from './queue/requeuing.ts'
import * as skillCalls from './skills/call-store.ts'
import { pruneCalls, pruneOutputs } from './skills/prune-store.ts'
import { pruneInvitations } from './tenants/invitation-store.ts'
import { sweep } from './webhooks/delivery/sweep.ts'
import { pruneOrigins } from './webhooks/endpoints/origin-store.ts'
import { catchUps } from './webhooks/endpoints/store.ts'
import { pruneDeleted, pruneRecoveries, resumingPruneEvents } from './webhooks/prune-store.ts'
import { leases as recoveries } from './webhooks/recovery/run-store.ts'

interface Recurring {
  name: string
  everyMs: number
  work(sql: Sql, log: Logger): Promise<unknown>
}

/** Kinds of leased work: stalled work of all of them is queued again here. Channels have a sweep of their own, as webhooks have. */
const LEASED: Leased[] = [attachments, imports, recoveries, catchUps, callbacks]

const RECURRING: Recurring[] = [
  { name: 'sweep', everyMs: SWEEP_INTERVAL_MS, work: sql => sweep(sql) },
  ...LEASED.map(({ table, rescueStalled }) => ({ name: `stalled work of ${table}`, everyMs: LIVENESS_INTERVAL_MS, work: rescueStalled })),
  { name: 'sweep of callbacks', everyMs: SWEEP_INTERVAL_MS, work: sweepCallbacks },
  { name: 'sweep of channels', everyMs: SWEEP_INTERVAL_MS, work: sql => sweepChannels(sql) },
  { name: 'sweep of events for flows', everyMs: SWEEP_INTERVAL_MS, work: sweepMatching },
  { name: 'sweep of runs', everyMs: SWEEP_INTERVAL_MS, work: sql => sweepRuns(sql) },
  { name: 'folding of figures', everyMs: FOLD_INTERVAL_MS, work: folder() },
  { name: 'figures to count anew', everyMs: LIVENESS_INTERVAL_MS, work: queueRecounts },
  { name: 'dead uploads', everyMs: LIVENESS_INTERVAL_MS, work: endDeadUploads },
  // Checked all the time, for processes outlive a failover.
  { name: 'epoch', everyMs: LIVENESS_INTERVAL_MS, work: (sql, log) => keepEpoch(sql, line => log.warn(line)) },
  { name: 'liveness', everyMs: LIVENESS_INTERVAL_MS, work: releaseDead },
  { name: 'payments waited for', everyMs: AWAITED_INTERVAL_MS, work: endWaits },
  { name: 'tokens to renew', everyMs: RENEW_TOKENS_INTERVAL_MS, work: queueRenewals },
  { name: 'warnings not mailed', everyMs: HELD_BACK_MAILS_INTERVAL_MS, work: mailHeldBack },
  { name: 'abandoned exports', everyMs: PRUNE_INTERVAL_MS, work: endAbandonedExports },
]

interface Pruning {
  name: string
  prune: Prune
  everyMs: number
}

const pruning = (name: string, prune: Prune, everyMs = PRUNE_INTERVAL_MS): Pruning => ({ name, prune, everyMs })

/** Deletes old rows, on a connection of its own: however many there are, endpoints that are due are woken meanwhile. */
const retention = (): Pruning[] => [
  pruning('old exports', pruneExports),
  pruning('files never sent', pruneAttachments),
  pruning('chunks of ended imports', pruneImportChunks),
  pruning('old imports', pruneImports),
  pruning('old idempotency keys', pruneIdempotencyKeys),
  pruning('old mails', pruneMails),
  pruning('old notifications', pruneNotifications),
  pruning('old runs', pruneRuns),
  pruning('links of mails', emptyOldLinks),
  pruning('old invitations', pruneInvitations),
  pruning('windows that are over', pruneWindows),
  pruning('sessions that are over', pruneSessions),
  pruning('addresses of sign-ins', pruneAddresses(KNOWN_ADDRESS_DAYS)),
  pruning('links for new passwords', pruneResets),
  pruning('forms that were sent', pruneUsedForms),
  pruning('expired codes and tokens', pruneTokens),
  pruning('unused grants', pruneGrants),
  pruning('clients without a grant', pruneClients),
  pruning('links of chat mails', pruneChatMails),
  pruning('old attempts to send messages', pruneAttempts),
  pruning('queues to which nothing is sent', pruneQueues),
  pruning('old changes', pruneLive, PRUNE_LIVE_INTERVAL_MS),
  pruning('old callbacks', pruneCallbacks, PRUNE_CALLBACKS_INTERVAL_MS),
  pruning('old events of payment providers', pruneTaken),
  pruning('old recoveries', pruneRecoveries),
  pruning('deleted webhooks', pruneDeleted),
  pruning('origins left', pruneOrigins),
  pruning('old calls of skills', pruneCalls),
  pruning('long outputs of skills', pruneOutputs),
  pruning('old figures', pruneAnalytics),
  pruning('work never begun again', pruneBegunWork),
  pruning('what uninstalled apps left', pruneUninstalled),
  pruning('old revisions of apps', pruneRevisions),
  pruning('old events', resumingPruneEvents(), PRUNE_EVENTS_INTERVAL_MS),
]

export const ELECTION = 7_041_777
/** How often the timers are checked for work that is due. */
const TICK_MS = 1_000
/** Recurring work rests this many times as long as it took: where it has much to read, deliveries come first. */
const RESTS = 20
/** The longest rest, for the work may only have waited for a lock. A lease, a tick and this rest are less than 30 s. */
const REST_MAX_MS = 3_000
/** A process that is no longer elected closes the lookout's session, and that which queues again what the dead left some seconds after a death. */
const LOOKOUT_IDLE_SECONDS = 30
/** A locked row must not stop all recurring work. */
const STATEMENT_MS = 10_000
/** The elected session sends a statement twice a second. If it is silent for this long it is frozen or cut off, and another process takes over. */
const SILENT_SESSION_MS = 15_000

export interface Schedule {
  stop(): Promise<void>
}

/** Takes part in the election, and does the recurring work while this process is elected. */
export function startSchedule(databaseUrl: string, log: Logger): Schedule {
  const sql = connect(databaseUrl, 'shopdesk schedule', { idle_session_timeout: SILENT_SESSION_MS })
  // No wait for the disk: rows that a crash of the server brings back are still old, and are deleted again.
  const deleting = connect(databaseUrl, 'shopdesk retention', { synchronous_commit: 'off' })
  // Of their own, so that a killed worker's work waits behind no sweep that waits for a lock, nor a death behind the work of the last. Opened by the elected alone.
  const looking = connect(databaseUrl, 'shopdesk lookout', {}, LOOKOUT_IDLE_SECONDS)
  const requeuing = connect(databaseUrl, 'shopdesk requeuing', {}, LOOKOUT_IDLE_SECONDS)
  const stopping = new AbortController()
  const { signal } = stopping
  let elected = false

  async function takePart(): Promise<void> {
    const wasElected = elected
    try {
      elected = await elect(sql, ELECTION)
    } catch (error) {
      elected = false
      throw error
    }
    // The one elected before may have freed what a dead process held, and then have died or lost the election before it queued what waited there.
    if (elected && !wasElected) left.died(new Date(now()))
  }

  async function repeat(
    name: string,
    everyMs: number,
    isOurs: () => boolean,
    work: () => Promise<unknown>,
    dueNext = dueAgain,
  ): Promise<void> {
    let dueAt = 0
    let failing = false
    while (!signal.aborted) {
      if (isOurs() && performance.now() >= dueAt) {
        const since = performance.now()
        try {
          await work()
          failing = false
        } catch (err) {
          // Logs the first failure in a row: a database that is away would fill the log every second.
          if (!failing && !signal.aborted) log.error({ err, work: name }, 'recurring work failed')
          failing = true
        }
        dueAt = dueNext(failing ? Math.min(everyMs, RECURRING_AGAIN_MS) : everyMs, since, performance.now())
      }
      await delay(Math.min(everyMs, TICK_MS), undefined, { signal }).catch(() => {})
    }
  }

  const isElected = (): boolean => elected
  // Channels and runs that wait in memory are found by their sweeps as soon.
  const left = createRequeuing([sweep, requeueForgotten])
  const lookout = createLookout([...LEASED, channels, skillCalls, flows], left.died)
  const running = [
    repeat('election', ELECTION_INTERVAL_MS, () => true, takePart, atEachTick),
    repeat('lookout', LOOKOUT_INTERVAL_MS, isElected, () => lookout(looking, log), atEachTick),
    repeat('what the dead left', LOOKOUT_INTERVAL_MS, isElected, () => left.round(requeuing), atEachTick),
    ...RECURRING.map(({ name, everyMs, work }) => repeat(name, everyMs, isElected, () => work(sql, log))),
    ...retention().map(({ name, prune, everyMs }) => repeat(name, everyMs, isElected, () => pruneAll(deleting, prune, signal))),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await Promise.all([sql, deleting, looking, requeuing].map(each => each.end({ timeout: 2 })))
    },
  }
}

/** When work that ran from `began` to `ended` is due again. All in milliseconds. */
export const dueAgain = (everyMs: number, began: number, ended: number): number =>
  Math.max(began + everyMs, ended + Math.min((ended - began) * RESTS, REST_MAX_MS))

/** For work that reads next to nothing and makes nothing wait. */
const atEachTick = (everyMs: number, began: number): number => began + everyMs / 2

/** One connection: the election is a lock of its session, and must not wait behind deliveries for a pooled connection. */
function connect(
  databaseUrl: string,
  name: string,
  over: { idle_session_timeout?: number; synchronous_commit?: 'off' },
  idleSeconds?: number,
): Sql {
  return connectTo(databaseUrl, {
    name,
    max: 1,
    max_lifetime: null,
    ...(idleSeconds !== undefined && { idle_timeout: idleSeconds }),
    // Retries every second: after an outage the rescue must not be the last to come back.
    backoff: () => 1,
    settings: { statement_timeout: STATEMENT_MS, ...over, ...BY_INDEX },
  }) as unknown as Sql
}
