// Connections: how long one is kept and read, and at what pace.
import { BULK_BODY_BYTES } from './bodies.ts'

/** How long a silent connection is kept: longer than by load balancers (usually 60 s), which would else send a request into one that closes. */
export const KEEP_ALIVE_MS = 75_000
/** Excess connections that get an answer at once; further ones are closed without. */
export const REFUSED_AT_ONCE = 256
/** How often refused connections are logged, however many they are; and how often a proxy is noted that no setting names. */
export const REFUSED_LOG_MS = 60_000
export const PROXY_NOTICE_MS = 60 * 60_000
/** How long and how far a connection is read on after its end: a client that sends all before it reads still gets its answer. 16 bulk bodies. */
export const LINGER_MS = 10_000
export const LINGER_BYTES = 16 * BULK_BODY_BYTES
/** A body that has not arrived by then is cut off, on every route. A file may take this long … */
export const BODY_LIMIT_MS = 60_000
export const UPLOAD_LIMIT_MS = 6 * 60 * 60_000
/** … if it keeps this pace, in bytes a second, over PACE_MS: a poor line does, a client that has stopped does not. */
export const UPLOAD_PACE = 1024
/** Uploads at once in one web process: each holds up to 4 MB outside the heap, all 192 MB. A tenant's share is no less than IMPORTS_OF_TENANT. */
export const UPLOADS_AT_ONCE = 48
/** The pace of a client is its average over this time: shorter pauses come from the network. */
export const PACE_MS = 30_000
/** … and a client may pause for this long, however fast it was before. */
export const PAUSE_MS = 60_000
/** When all places of uploads or of downloads are taken, a slower one loses its place to the next: bytes a second, 2 MB a minute. */
export const SCARCE_PACE = 32 * 1024
/** The most that one tenant may have of a process's places: only four together can take them all. */
export const TENANT_SHARE = 1 / 4
