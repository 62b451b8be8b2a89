// Recurring work of all nouns, one line each. One elected process does it (queue/recurring.ts).
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
import { FEW_ROWS_INTERVAL_MS, LIVENESS_INTERVAL_MS, SWEEP_INTERVAL_MS } from './limits/queue.ts'
import { PRUNE_CALLBACKS_INTERVAL_MS, PRUNE_EVENTS_INTERVAL_MS, PRUNE_INTERVAL_MS, PRUNE_LIVE_INTERVAL_MS } from './limits/retention.ts'
import { pruneLive } from './live/feed-store.ts'
import { emptyOldLinks, pruneMails } from './mail/mail.ts'
import { mailHeldBack, pruneNotifications } from './notifications/notifications.ts'
import { pruneClients } from './oauth/client-store.ts'
import { pruneGrants } from './oauth/grant-store.ts'
import { pruneTokens } from './oauth/token-store.ts'
import { endWaits } from './payments/ledger/apply.ts'
import { pruneTaken } from './payments/ledger/waiting-store.ts'
import { forgetCountsOfFew } from './postgres/analyze.ts'
import { keepEpoch } from './postgres/epoch.ts'
import { prune as pruneIdempotencyKeys } from './postgres/idempotency.ts'
import type { Prune } from './postgres/prune.ts'
import { pruneUsedForms } from './postgres/used-forms.ts'
import { prune as pruneBegunWork } from './queue/begun-work-store.ts'
import type { Leased } from './queue/leased.ts'
import { releaseDead } from './queue/liveness.ts'
import { type Pruning, type Recurring, type Schedule, startRecurring } from './queue/recurring.ts'
import type { Requeue } from './queue/requeuing.ts'
import * as skillCalls from './skills/call-store.ts'
import { pruneCalls, pruneOutputs } from './skills/prune-store.ts'
import { pruneInvitations } from './tenants/invitation-store.ts'
import { sweep } from './webhooks/delivery/sweep.ts'
import { pruneOrigins } from './webhooks/endpoints/origin-store.ts'
import { catchUps } from './webhooks/endpoints/store.ts'
import { pruneDeleted, pruneRecoveries, resumingPruneEvents } from './webhooks/prune-store.ts'
import { leases as recoveries } from './webhooks/recovery/run-store.ts'

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
  { name: 'counts of tables with few rows', everyMs: FEW_ROWS_INTERVAL_MS, work: forgetCountsOfFew },
  { name: 'payments waited for', everyMs: AWAITED_INTERVAL_MS, work: endWaits },
  { name: 'tokens to renew', everyMs: RENEW_TOKENS_INTERVAL_MS, work: queueRenewals },
  { name: 'warnings not mailed', everyMs: HELD_BACK_MAILS_INTERVAL_MS, work: mailHeldBack },
  { name: 'abandoned exports', everyMs: PRUNE_INTERVAL_MS, work: endAbandonedExports },
]

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

/**
 * What is queued again after a death, on a connection of its own: on a busy machine the sweeps rest for up to 3 s, and wait for each other. Channels that wait in
 * memory are found by their sweep.
 */
export const REQUEUED: Requeue[] = [sweep, requeueForgotten, sweepRuns]

/** Takes part in the election, and does the recurring work while this process is elected. */
export const startSchedule = (databaseUrl: string, log: Logger): Schedule =>
  startRecurring(databaseUrl, log, {
    recurring: RECURRING,
    retention: retention(),
    leased: [...LEASED, channels, skillCalls, flows],
    requeued: REQUEUED,
  })
