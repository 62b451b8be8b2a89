// One request: for how long a duplicate is recognised, and how long it may take.

/** A duplicate of an Idempotency-Key is recognised for this long. */
export const IDEMPOTENCY_HOURS = 24
/** A claim whose process died lapses after this. It is renewed while its request runs, three times as often. */
export const IDEMPOTENCY_CLAIM_SECONDS = 6
/** No statement of a request may run longer: a stuck lock must answer 503, not hang a caller. */
export const REQUEST_STATEMENT_MS = 15_000

/** The readiness probes of load balancers usually wait for 2 s or more. */
export const READY_LIMIT_MS = 1_500
