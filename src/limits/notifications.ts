// Notifications to the team.

/** What apps tell the team. */
export const NOTIFICATION_TITLE_CHARS = 200
export const NOTIFICATION_BODY_CHARS = 4_000
/** design: warnings of an app that are mailed in an hour; one more mail says how many more there were. */
export const WARNING_MAILS_AN_HOUR = 20
/** How often it is looked for those. */
export const HELD_BACK_MAILS_INTERVAL_MS = 60_000
