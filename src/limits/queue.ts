// The queue: leases, slices, and the workers that live or die.

/** The lease of an endpoint; it lapses where the lookout cannot tell that a killed worker is gone. */
export const LEASE_SECONDS = 25
/** A job releases its slot after this long, so that many endpoints share few slots. */
export const TIME_SLICE_MS = 5_000
/** How often the sweep runs, on a plain timer in one elected process. */
export const SWEEP_INTERVAL_MS = 1_000
/** How often a worker pool says that it lives … */
export const POOL_BEAT_MS = 5_000
/** … when, after two missed beats, it is told of nothing more (also in webhook_tell and worker_died, which are SQL) … */
export const POOL_SILENT_SECONDS = 10
/** … and when it counts as dead, after four missed beats: its jobs are free within 30 s, and a slow pool keeps them. */
export const POOL_DEAD_SECONDS = 20
/** How often a worker process checks the session that stands for it. */
export const STANDING_BEAT_MS = 250
/** A process begins no work when its session has not answered for this long … */
export const STANDING_FENCE_MS = 1_000
/** … and a little later ends the deliveries under way to ordered webhooks … */
export const STANDING_ABORT_MS = 1_250
/** … before other processes, which see the session gone for this long, take over its work. They do so at once if they know that it has ended. */
export const GONE_MS = 1_600
/** How often each process looks, and one of them, which is elected meanwhile, frees what the missing held: the next attempt follows within twice this and the time above. */
export const LOOKOUT_INTERVAL_MS = 250
/** Work during which this many workers died in a row, at one place, is suspect, and runs alone (also in worker_gone) … */
export const SUSPECT_DEATHS = 2
/** … and after one more death it is given up: no other work of that process can have been the cause. */
export const WORKER_DEATHS_MAX = SUSPECT_DEATHS + 1
/** A webhook of which a worker died while it was tried alone is held back for this long (also in worker_gone): whether workers live without it … */
export const HELD_BACK_SECONDS = 30
/** … and is tried once more, before it is disabled. */
export const WEBHOOK_DEATHS_MAX = WORKER_DEATHS_MAX + 1
/** How often dead pools are looked for. */
export const LIVENESS_INTERVAL_MS = 3_000
/** How often tables are looked for that were counted while they had few rows: autovacuum counts them at any time, once in 15 s where it is the embedded one. */
export const FEW_ROWS_INTERVAL_MS = 10_000
/** How soon failed recurring work is tried again, if it is not due earlier. */
export const RECURRING_AGAIN_MS = 10_000
/** SIGTERM: requests and deliveries in flight have this long to finish. */
export const SHUTDOWN_GRACE_MS = 15_000
