// Live streams.

/** How far back a live stream can go on. */
export const LIVE_HOURS = 24

/** How often a quiet stream gets a comment: proxies take a connection that is silent for half a minute or a minute for dead. */
export const LIVE_HEARTBEAT_MS = 15_000
/** A reader that is so far behind is let go: it comes back, and goes on where it was. */
export const LIVE_BEHIND_BYTES = 1024 * 1024
/** A stream ends after so long, and its reader comes back: perhaps to another process. */
export const LIVE_MS = 60 * 60_000
/** Live streams of one process, of which a tenant has a quarter; and of one key. */
export const LIVE_STREAMS = 5_000
export const LIVE_STREAMS_OF_KEY = 50
/** How often the changes of watched workspaces are looked for, should no process tell of them. */
export const LIVE_LOOK_MS = 1_000
/** Changes of one workspace that one look finds. Where there are more, its streams are told to read anew. */
export const LIVE_LOOKED_AT = 2_000
/** A stream that comes back is sent what changed since its last event, from so long before on: a transaction may have been under way for that long … */
export const LIVE_OVERLAP_MS = 30_000
/** … if that is no more than so many changes. */
export const LIVE_RESUMED_MAX = 10_000
/** Conversations and messages that one statement reads for streams. */
export const LIVE_READ_TOGETHER = 200
/** … and those that one is sent at a time that catches up: well within LIVE_BEHIND_BYTES. */
export const LIVE_RESUMED_TOGETHER = 25
