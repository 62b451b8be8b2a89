// Payments, their providers, and what waits for them.

/** Payment providers of a workspace: a shop has one or two accounts, and one for tests. */
export const PROVIDERS_MAX = 20
/** Signing secrets of a provider at once: while one is rolled there are two. Each costs a callback an HMAC. */
export const PROVIDER_SECRETS_MAX = 5
/** A refund or a dispute waits so long for its payment: Stripe repeats what it could not deliver for three days. */
export const PAYMENT_AWAITED_MS = 3 * 24 * 60 * 60_000
/** A refund waits so long for an earlier one of its payment; then both are booked as one. */
export const REFUND_AWAITED_MS = 60_000
/** How often what has waited for too long is looked for, and how much of it is taken at once. */
export const AWAITED_INTERVAL_MS = 5_000
export const AWAITED_TOGETHER = 100
/** Updates that wait for one payment and are looked at with it. */
export const AWAITING_ONE_MAX = 1_000
/** Disputes of one payment that are told apart. A bank opens one, seldom two. */
export const DISPUTES_OF_A_PAYMENT_MAX = 20
/** Failed refunds of one payment that are known with their time; seldom is there more than one. */
export const FAILURES_OF_A_PAYMENT_MAX = 100
/** Events of a provider are known for so long: Stripe repeats one for three days by itself, and for thirty by hand. */
export const PAYMENT_EVENTS_DAYS = 32
/** Payments named in one mail. */
export const MAILED_PAYMENTS_MAX = 20
