// People of a workspace, their invitations, and its audit log.
import { DAY_SECONDS } from './clock.ts'

/** The longest e-mail address (RFC 5321), and a name of a person or a workspace that still fits a line. */
export const EMAIL_CHARS = 254
export const PERSON_NAME_CHARS = 100
/** Invitations of a workspace that are open at once, and in a day: a team is invited in one go, and strangers are not to be mailed through us. */
export const INVITATIONS_OPEN_MAX = 100
export const INVITATIONS_OF_WORKSPACE = { most: 200, seconds: DAY_SECONDS }
/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7
/** Links that are mailed to one address in an hour: a person needs one, and no mailbox is to be flooded. */
export const LINKS_PER_HOUR = 5
/** Rows of the audit log that a command or a page shows unless told otherwise, and at most. */
export const AUDIT_PAGE_DEFAULT = 100
export const AUDIT_PAGE_MAX = 10_000
