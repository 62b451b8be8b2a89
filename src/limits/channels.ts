// Channels, and how messages are sent over them.

/** Typing that is older than this is not told to a platform any more. */
export const TYPING_STALE_MS = 3_000
/** How long a platform may take to answer that, and how much of its answer is read: nothing hangs on it. */
export const SIGNAL_TIMEOUT_MS = 3_000
export const SIGNAL_ANSWER_BYTES = 1_024

/** A platform's time to answer. Files are sent as long as they move. */
export const CHANNEL_TIMEOUT_MS = 15_000
/** The time after that for the rest of the answer, which is short. */
export const CHANNEL_BODY_EXTRA_MS = 5_000
/** The most of an answer that is read: a platform names a message or an error in less. */
export const CHANNEL_ANSWER_BYTES = 16 * 1024
/** The time for all of a file's way to its platform: 20 MB at 70 KB a second. */
export const CHANNEL_UPLOAD_MS = 5 * 60_000
/** When the attempts to send a message take place: in seconds after the first. */
export const MESSAGE_SCHEDULE_SECONDS = [0, 2, 10, 60, 300, 900] as const
/** Conversations of a channel that are sent to at once. */
export const CONVERSATIONS_AT_ONCE = 16
/** A message that has waited for so long is given up: an answer is not expected any more. */
export const MESSAGE_EXPIRES_HOURS = 24
/** How long the queue of a conversation is kept to which nothing is sent: longer than any pace is saved up. */
export const QUEUES_IDLE_HOURS = 24
/** Messages that are given up in one statement. */
export const EXPIRED_BATCH = 200
/** How long a slice of a channel goes on where nothing else waits for its slot: the longest that an answer of a platform takes, and some more. */
export const CHANNEL_SLICE_MAX_MS = 30_000
/** Channels of a workspace: each is asked by `doctor`, and each has its own turn of callbacks and of sending. */
export const CHANNELS_PER_WORKSPACE = 100
/** Tokens of Instagram's own login live for 60 days: renewed every week, there are eight attempts before one ends. */
export const TOKEN_RENEWED_DAYS = 7
/** How often it is looked for tokens that are to be renewed. */
export const RENEW_TOKENS_INTERVAL_MS = 60 * 60_000
