// How long things are kept, and how they are deleted.

/** How long the delivery log is kept. Events and finished deliveries are kept as long, so that they can be sent again from the log; mails too. */
export const RETENTION_DAYS = 30
/** Old rows are deleted this many at a time, so that no other statement waits long … */
export const PRUNE_BATCH = 1_000
/** … with a rest as long as the deletion took, and at least this long: half of one connection, however much there is to delete. */
export const PRUNE_PAUSE_MS = 5
/** Deliveries that are checked before a batch of events is deleted; an event has as many as there are webhooks. 20 ms. */
export const PRUNE_LOOKED_AT = 50_000
export const PRUNE_INTERVAL_MS = 60_000
/** Every pass checks the events again that are kept for pending deliveries, perhaps a million: hence the long rest between passes. */
export const PRUNE_EVENTS_INTERVAL_MS = 15 * 60_000
/** A pass reads the oldest callbacks of every channel. */
export const PRUNE_CALLBACKS_INTERVAL_MS = 15 * 60_000
/** A pass looks once for every workspace. */
export const PRUNE_LIVE_INTERVAL_MS = 5 * 60_000
