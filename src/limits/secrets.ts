// Secrets that change.

/** Webhooks whose secrets are encrypted anew in one transaction: their rows are locked for some 20 ms, and deliveries wait no longer. */
export const REENCRYPT_BATCH = 100
/** How long the old secret signs too after a rotation, unless the tenant confirms the new one earlier. */
export const SECRET_OVERLAP_HOURS = 24
