// Webhooks: endpoints, deliveries, the log, recovery and catching up.

/** Transactions usually last milliseconds. An older one that holds back events is reported to those that wait for them. */
export const HELD_BACK_TOLD_SECONDS = 5

/** No response within 10 seconds is a failure: 10 s to the response's headers, 12 s in all. */
export const DELIVERY_TIMEOUT_MS = 10_000
export const DELIVERY_BODY_EXTRA_MS = 2_000
/** When attempts 1 to 5 take place: in seconds after the first. */
export const DELIVERY_SCHEDULE_SECONDS = [0, 8, 60, 300, 1800] as const

/** Consecutive failures after which a webhook is disabled. */
export const FAILURES_TO_DISABLE = 5
/** Requests at once to one endpoint, unless it sets a number … */
export const ENDPOINT_CAP = 8
/** … which is at most this. */
export const PARALLEL_MAX = 64
/** Deliveries claimed at a time: half a second of work for an endpoint that answers in 60 ms at a cap of 8. More would cost the garbage collector. */
export const CLAIM_MAX = 64
/** A body up to this size is read together with its delivery … */
export const SMALL_BODY_BYTES = 8 * 1024
/** … while all bodies claimed with it stay within this, times the number of requested deliveries: 600 slices then hold some 25 MB. */
export const SMALL_BYTES_EACH = 2 * 1024
/** All other bodies in a worker's memory: those of 26 orders of the largest size, or of a thousand of 30 KB. */
export const LARGE_BODIES_BYTES = 32 * 1024 * 1024

/** Consecutive failures of a webhook at which the tenant's admins are warned. */
export const FAILURES_TO_WARN = 3

/** The tenant's own headers on each delivery, and the length of a name and of a value. */
export const CUSTOM_HEADERS_MAX = 20
export const HEADER_NAME_CHARS = 100
export const HEADER_VALUE_CHARS = 1_000
/** The largest limit of requests a minute that a tenant may set for an endpoint. */
export const PER_MINUTE_MAX = 60_000
/** How many deliveries a recovery sends at once, beside live traffic, and how many a second unless a rate is given. */
export const RECOVERY_PARALLEL = 2
export const RECOVERY_PER_SECOND = 10
export const RECOVERY_PER_SECOND_MAX = 100
/** Workers are told of up to this many webhooks directly. More are given to the queue, which serves tenants in turn and is shared by all workers. */
export const WEBHOOKS_TOLD_MAX = 32
/** Of so many kinds of events, each of a workspace, a process keeps which webhooks had a delivery of the last one. */
export const FORETOLD_KINDS = 2_000

/**
 * Counts for a caller end here: for a backlog of millions that is as good an answer as any, and frequent requests do not load the database.
 */
export const COUNT_MAX = 10_000
/** To count the deliveries of a recovery, at most this many events are read, a slice at a time, and for at most this long. */
export const RECOVERY_COUNT_SLICES = 5
export const RECOVERY_COUNT_SLICE = 20_000
export const RECOVERY_COUNT_MS = 1_000
/** A receiver that refuses this many in a row is down: the recovery ends instead of hammering it. */
export const RECOVERY_FAILURES_MAX = 50
/** Recoveries under way at once in one process, so that they never hold the slots of live deliveries. */
export const RECOVERIES_AT_ONCE = 16
/** Webhooks that catch up at once in one worker process: each runs a statement of a thousand rows after the other. */
export const CATCH_UPS_AT_ONCE = 8
/** Lines of the log that are read for the attempts of HEALTH_SAMPLE: those of recoveries lie in between, and are skipped. */
export const HEALTH_SCAN = 20_000
/** Rows that one statement writes when an endpoint catches up: short enough not to hold up other statements. */
export const CATCH_UP_BATCH = 1_000
