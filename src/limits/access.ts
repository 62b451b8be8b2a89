// Keys, passwords, sessions and sign-ins.
import { DAY_SECONDS } from './clock.ts'

/** How long an unknown token is remembered: a key that was tried just before it was made is refused for as long. */
export const UNKNOWN_KEY_MS = 3_000
/** … and how many such tokens: 2 MB. */
export const UNKNOWN_KEYS_MAX = 10_000
/** Unknown tokens in one lookup, as many as a web process can refuse in a second: some 30 ms of work. */
export const KEY_QUESTION_MAX = 5_000
/** Such lookups of one web process, for callers within the limit of their address: never more than 100 a second … */
export const KEY_QUESTIONS = { burst: 20, everyMs: 10, gatherMs: 0 }
/** … and one a second for callers beyond that limit, for one of them may have a key that the process has not seen. */
export const LATE_KEY_QUESTIONS = { burst: 10, everyMs: 1_000, gatherMs: 50 }

/** How long a use of a key waits to be recorded, together with others: it is kept to the minute. */
export const LAST_USE_MS = 60_000
/** Uses recorded in one statement. */
export const LAST_USES_AT_ONCE = 1_000
/** Keys that are listed, the newest: a workspace has a handful. */
export const KEYS_LISTED = 1_000
/** Keys of a workspace, of either kind, that are not revoked or were made within a day: each has a log of its minute and a limit of its own. */
export const KEYS_PER_WORKSPACE = 1_000
/** Keys on a page of the dashboard. */
export const KEYS_PER_PAGE = 100

/** How often the keys of streams and uploads under way are checked for revocation: one statement for all of a process. */
export const REVOCATION_LOOK_MS = 20_000

/** Characters of a password where it is the only factor (NIST SP 800-63B-4), and at most: hashing more adds nothing. */
export const PASSWORD_CHARS_MIN = 15
export const PASSWORD_CHARS_MAX = 256
/** Passwords that a process hashes at once: 19 MB and a core each. Others wait for their turn, no longer than a browser's user does. */
export const HASHES_AT_ONCE = 2
export const HASH_WAIT_MS = 10_000
/** … and this many: what two cores hash in that time. */
export const HASHES_WAITING = 400
/** Sessions of a person: one more ends the one that was used longest ago. */
export const SESSIONS_PER_PERSON = 50
/** How long the link to a new password works. */
export const RESET_MINUTES = 60
/** A session ends so long after its last use, and so long after the sign-in whatever its use. */
export const SESSION_IDLE_DAYS = 7
export const SESSION_DAYS = 30
/** What is dangerous asks for the password where it was given longer ago. */
export const PASSWORD_AGAIN_SECONDS = 3600
/** Failed sign-ins of one account from one address, of one address, and of one account from anywhere; see docs/people.md. */
export const FAILURES_HERE = { most: 10, seconds: 900 }
export const FAILURES_OF_ADDRESS = { most: 50, seconds: 900 }
export const FAILURES_OF_ACCOUNT = { most: 200, seconds: DAY_SECONDS }
/** Where an account has too many failures, addresses from which it signed in within this time still get on. */
export const KNOWN_ADDRESS_DAYS = 30
/** Resets that one address may ask for in an hour. */
export const RESETS_OF_ADDRESS = { most: 20, seconds: 3600 }
/** Characters of a browser's own description that are kept. */
export const USER_AGENT_CHARS = 300
