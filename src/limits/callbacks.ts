// Callbacks of channels and of payment providers.
import { JSON_BODY_BYTES } from './bodies.ts'

/** The most bytes of a callback: the platforms' largest are some hundred updates in one call. */
export const CALLBACK_BODY_BYTES = 4 * JSON_BODY_BYTES
/** Callbacks that one address may send in a minute: of channels, and of payment providers. */
export const INBOUND_CHANNEL_LIMIT = 60
export const INBOUND_PAYMENT_LIMIT = 30
/**
 * Visitors of web chat may read so often for each request by which they may write: behind each message stand the questions that browsers ask before a
 * request, the answers read and the live stream. An operator who raises the one for an office behind one address raises the other with it.
 */
export const READS_PER_INBOUND = 10
/** How often it is logged that callbacks are refused with 429. */
export const INBOUND_LOG_MS = 60_000
/** How long a process relies on what it has read of a channel: under load, one statement in a second instead of one for each callback. */
export const SOURCE_KNOWN_MS = 1_000
/** … of so many at a time: 10 MB. */
export const SOURCES_KNOWN_MAX = 10_000
/** How often it is noted that a channel was written to. */
export const INBOUND_NOTED_MS = 1_000
/** Callbacks applied in one transaction, and their bytes: 4 MB of JSON are parsed in some 40 ms. */
export const APPLIED_TOGETHER = 100
export const APPLIED_TOGETHER_BYTES = 4 * JSON_BODY_BYTES
/** Sources applied at once in one worker process: each holds a connection of the pool, which other work shares. */
export const APPLIED_AT_ONCE = 8
/** Sources that wait in a worker for a turn that it was told of. More are given to the queue. */
export const QUICK_TURNS_WAITING = 1_000
/** Sources whose new callbacks are applied in one transaction; of each so many, and so many bytes: what one sends must not hold up the others. */
export const SHARED_TURN_SOURCES = 64
export const SHARED_TURN_CALLBACKS = 25
export const SHARED_TURN_BYTES = 64 * 1024
/** A callback that fails is tried again after so many seconds each time. Its thread waits for it: a minute in all. */
export const CALLBACK_RETRY_SECONDS = [1, 2, 4, 8, 15, 30] as const
/** A callback that waits for another one is looked at again after so many seconds each time, the last for good. */
export const CALLBACK_LATER_SECONDS = [0.25, 0.5, 1, 2, 4] as const
/** Failed callbacks that are given another try at once, in one statement. */
export const REAPPLY_MAX = 10_000
/** How long callbacks are kept: those that did what they were for, and those that an operator may still want to apply. */
export const CALLBACK_DONE_DAYS = 7
export const CALLBACK_LEFT_DAYS = 30
