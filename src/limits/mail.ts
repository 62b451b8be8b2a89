// Mails.

/** Tries of a mail: within three and a half hours, by Graphile Worker's back-off. */
export const MAIL_ATTEMPTS = 10
/** The time from connecting until the server accepts the mail; within SHUTDOWN_GRACE_MS. */
export const MAIL_TIMEOUT_MS = 10_000
