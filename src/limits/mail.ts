// Mails.

/** Within three and a half hours, by Graphile Worker's back-off. */
export const MAIL_ATTEMPTS = 10
/** From connecting until the server accepts the mail. Within SHUTDOWN_GRACE_MS. */
export const MAIL_TIMEOUT_MS = 10_000
