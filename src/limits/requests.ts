// One request: for how long a duplicate is recognised, and how long it may take.

/** A duplicate of an Idempotency-Key is recognised for this long. */
export const IDEMPOTENCY_HOURS = 24
/** A claim whose process died lapses after this. It is renewed while its request runs, three times as often. */
export const IDEMPOTENCY_CLAIM_SECONDS = 6
/** No statement of a request may run longer: a stuck lock must answer 503, not hang a caller. */
export const REQUEST_STATEMENT_MS = 15_000

/**
 * Writes of a process at once that wait for others of their workspace in the database, for its lock: half of the connections of writes. A workspace has two
 * of them: one waits for the lock of the other. Without turns a workspace that makes many webhooks at once held all connections, and kept other workspaces
 * waiting; and those at the end of the line for its lock were refused, on a busy machine, as if the lock were stuck.
 */
export const WRITES_IN_TURNS_AT_ONCE = 8

/** The readiness probes of load balancers usually wait for 2 s or more. */
export const READY_LIMIT_MS = 1_500
