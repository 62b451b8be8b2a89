// What every request of ours to another service has: its signature, its retries, its line in a log.

/** ±10 % of a schedule, so that a recovering receiver does not get all retries at once. */
export const RETRY_JITTER = 0.1
/** The log keeps 16 KB of a response's body and 500 characters of an error's text. */
export const RESPONSE_LOG_BYTES = 16 * 1024
export const ERROR_TEXT_CHARS = 500
/** Attempts from which an endpoint's health is computed: 100 events a second make millions in 24 hours. */
export const HEALTH_SAMPLE = 10_000
/** A verifier rejects a webhook signature older or newer than this. */
export const SIGNATURE_AGE_SECONDS = 300
