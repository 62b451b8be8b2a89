// Files of messages.

/** One file of a message, in and out: what Telegram's bots can fetch, the least of all platforms. */
export const ATTACHMENT_MAX_BYTES = 20 * 1024 * 1024
/** The name of a file: file systems take 255 bytes. */
export const FILE_NAME_CHARS = 200
/** When a received file is fetched, in seconds after its message came … */
export const FETCH_SCHEDULE_SECONDS = [0, 5, 60, 300, 1800] as const
/** … then this often … */
export const FETCH_EVERY_SECONDS = 3_600
/** … and for so long: platforms keep files for days, and a day is time enough to mend a token. */
export const FETCH_FOR_SECONDS = 24 * 3_600
/** Files fetched at once in one worker process: each holds two pieces, and what its connection has read. */
export const FETCHES_AT_ONCE = 8
/** … and of those one workspace's: what comes slowly holds its place for minutes. */
export const FETCHES_OF_ONE_AT_ONCE = 6
/** The longest time without a byte of a file … */
export const FETCH_IDLE_MS = 20_000
/** … and for all of it: 20 MB at 35 KB a second. */
export const FETCH_TOTAL_MS = 600_000
/** Files of messages sent to readers with a key at once by one web process, and as many to others, each holding two pieces of 48 KB; a page shows many pictures at once. */
export const FILES_AT_ONCE = 64
