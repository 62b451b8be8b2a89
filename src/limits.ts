// Every number of the interface, named, with its unit and its reason. "spec" is the interface specification.

/** spec: sliding-log limiter, 60-second window, two buckets per key. Requests per minute. */
export const PLANS = {
  free: { read: 30, write: 5 },
  starter: { read: 60, write: 15 },
  professional: { read: 120, write: 30 },
  business: { read: 300, write: 60 },
  enterprise: { read: 600, write: 120 },
} as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

/** spec: the limiter's window. The ring of slots in sql/ is as long as the largest plan's limit. */
export const RATE_WINDOW_SECONDS = 60
/** design: callers without a valid key share a bucket per address; beyond it a 401 or 403 becomes a 429. */
export const ANONYMOUS_PER_MINUTE = 600
/** A token without a key is remembered as such for this long: so long is a key refused that was asked about just before it was made. */
export const UNKNOWN_KEY_MS = 3_000
/** … and so many at most: 2 MB. */
export const UNKNOWN_KEYS_MAX = 10_000
/** Tokens of one question whether they are keys, as many as a web process can refuse in a second: some 30 ms of work. */
export const KEY_QUESTION_MAX = 5_000
/** Such questions of one web process, for callers within the limit of their address: never more than 100 a second … */
export const KEY_QUESTIONS = { burst: 20, everyMs: 10, gatherMs: 0 }
/** … and one a second for callers beyond it, among whom there may be one with a key that the process has not seen. */
export const LATE_KEY_QUESTIONS = { burst: 10, everyMs: 1_000, gatherMs: 50 }

/** How often it is asked whether a key was revoked whose stream or upload is under way: one statement for all of a process. */
export const REVOCATION_LOOK_MS = 20_000

/** spec: `limit` query parameter, 1..100, default 50. */
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 50
/** Rows looked at for one page of a list: 5 to 20 ms of work. See docs/decisions, "A page of a list is bounded work". */
export const LIST_SCAN_MAX = 10_000
/** Of these, as many on the connections that all lists share, 1 to 3 ms of work; a page that needs more is a long read. */
export const LIST_GLANCE = 1_000
/** Long reads at once in one web process, on connections of their own: pages by offset or of rare rows, and the health of webhooks. */
export const LONG_READS_AT_ONCE = 4
/** Long reads of a web process that wait for their turn: of a tenant, which has one turn at a time, no more than a client waits for. */
export const LONG_READS_WAITING = 80

/** design: body limits in bytes. */
export const JSON_BODY_BYTES = 1024 * 1024
export const BULK_BODY_BYTES = 4 * JSON_BODY_BYTES
/** design: of an import's file. */
export const IMPORT_BODY_BYTES = 2 * 1024 ** 3
/** Chunks that a body of JSON comes in: each costs a microsecond or two, however small. The longest body has 64 bytes in each on average. */
export const BODY_PIECES_MAX = 64 * 1024
/** A connection that is silent is kept this long: longer than load balancers keep it, 60 s as a rule, for they would send into one that closes. */
export const KEEP_ALIVE_MS = 75_000
/** Connections that are too many are told so, as many at once; what comes beside those ends without a word. */
export const REFUSED_AT_ONCE = 256
/** A line of the log for refused connections, however many they are; and the note of a proxy that no setting speaks of. */
export const REFUSED_LOG_MS = 60_000
export const PROXY_NOTICE_MS = 60 * 60_000
/** A connection that ends is read on for so long and so far: a client that sends all before it reads still finds its answer. 16 bulk bodies. */
export const LINGER_MS = 10_000
export const LINGER_BYTES = 16 * BULK_BODY_BYTES
/** A body is here by then, or cut off, whatever it is sent to; a file is as long as it comes at all … */
export const BODY_LIMIT_MS = 60_000
export const UPLOAD_LIMIT_MS = 6 * 60 * 60_000
/** … and keeps this pace, in bytes a second, over PACE_MS: a poor line does, and a client that has stopped does not. */
export const UPLOAD_PACE = 1024
/** Uploads under way at once in one web process: each holds up to 4 MB outside the heap, all 192 MB. A tenant's share is no less than IMPORTS_OF_TENANT. */
export const UPLOADS_AT_ONCE = 48
/** Clients that send or read are judged by their average over this time: shorter pauses are a network's. */
export const PACE_MS = 30_000
/** … and may move nothing for this long, however fast they were before. */
export const PAUSE_MS = 60_000
/** Where all places of uploads or of downloads are taken, one that is slower than this gives its own to the next: bytes a second, 2 MB a minute. */
export const SCARCE_PACE = 32 * 1024
/** One tenant has at most this part of a process's places: it takes four to take them all. */
export const TENANT_SHARE = 1 / 4
/** Deeper JSON is refused: no resource nests further, and deep trees are how parsers are attacked. */
export const JSON_DEPTH = 32
/** design: values of one body or row, whatever its length: the fullest order holds 5 900, and 350 000 fit in a megabyte … */
export const JSON_VALUES_MAX = 10_000
/** … and of a bulk request: 50 of the fullest products hold 94 000. Reading so many takes a tenth of a second. */
export const BULK_VALUES_MAX = 10 * JSON_VALUES_MAX
/** Of a body or row as long as these, one list or object: none takes more than 100, and an object of as many names as a bulk request may have
    values takes a third of a second to read and look through. */
export const JSON_BREADTH = 5_000
/** A longer body is read in parts: this one takes five milliseconds, or fifteen if it is made to. */
export const JSON_SLICE_BYTES = 256 * 1024
/** Of a request, in one go: a body that takes longer to judge lets others have their turn in between. */
export const EVENT_LOOP_SLICE_MS = 4
/** The public JSON of what one statement writes: with all that is made of it, about 5 ms of the event loop. More is written in several. */
export const STATEMENT_CHARS = 256 * 1024
/** interface: errors told of one request. More would bury the first ones. */
export const ERRORS_MAX = 100
/** Of an error's field: longer than any path of ours, yet a name of a megabyte is not sent back. With 100 errors an answer stays near 100 KB. */
export const FIELD_CHARS = 120

/** Transactions last milliseconds as a rule. What one that is older holds back is told to those that wait for it. */
export const HELD_BACK_TOLD_SECONDS = 5

/** design: a duplicate of an Idempotency-Key is recognised for this long. */
export const IDEMPOTENCY_HOURS = 24
/** A claim whose process died lapses after this; longer than any request may run (see REQUEST_STATEMENT_MS). */
export const IDEMPOTENCY_CLAIM_SECONDS = 30
/** No statement of a request may run longer: a stuck lock must answer 503, not hang a caller. */
export const REQUEST_STATEMENT_MS = 15_000

/** A load balancer that asks whether a process is ready waits for 2 s or more, as a rule. */
export const READY_LIMIT_MS = 1_500

/** design: metadata holds at most 50 keys, string values of at most 500 characters. */
export const METADATA_KEYS = 50
export const METADATA_VALUE_CHARS = 500
/** Lines of one order. Larger work is split or imported. */
export const ORDER_ITEMS_MAX = 100
/** design: items[].quantity is 1..9999. */
export const QUANTITY_MAX = 9_999
/** Minor units. With 100 lines of 9 999 pieces an order's total stays an exact JavaScript integer. */
export const AMOUNT_MAX = 9_000_000_000
export const STOCK_MAX = 1_000_000_000
/** spec: conversations are listed 20 to the page. design: messages only in the detail, so their number there is bounded. */
export const CONVERSATIONS_PAGE_DEFAULT = 20
export const CONVERSATION_MESSAGES = 50
/** What a list shows of a conversation's last message. */
export const MESSAGE_PREVIEW_CHARS = 200
/** A product with this many pieces left, or fewer, is low on stock. */
export const LOW_STOCK = 5

/** spec: no response within 10 seconds is a failure. design: 10 s to the response's headers, 12 s in all. */
export const DELIVERY_TIMEOUT_MS = 10_000
export const DELIVERY_BODY_EXTRA_MS = 2_000
/** design: seconds after a delivery's first attempt of attempts 1 to 5. */
export const DELIVERY_SCHEDULE_SECONDS = [0, 8, 60, 300, 1800] as const
/** design: ±10 % jitter on the schedule, so that a receiver's recovery is not met by a wall of retries. */
export const DELIVERY_JITTER = 0.1
/** spec: after 5 consecutive failures the webhook is disabled. */
export const FAILURES_TO_DISABLE = 5
/** design: at most this many requests at once to one endpoint, unless it says otherwise. */
export const ENDPOINT_CAP = 8
/** … and at most this many if it does. */
export const PARALLEL_MAX = 64
/** architecture: the endpoint lease; a killed worker's deliveries are claimed again when it lapses. */
export const LEASE_SECONDS = 25
/** A job gives its slot back after this long, so that many endpoints share few slots. */
export const TIME_SLICE_MS = 5_000
/** Deliveries claimed at a time: half a second of work for an endpoint that answers in 60 ms at a cap of 8. What waits longer costs the collector more. */
export const CLAIM_MAX = 64
/** A body up to this size comes with what is due … */
export const SMALL_BODY_BYTES = 8 * 1024
/** … as long as those claimed with it are no more, for each delivery that was asked for: 600 turns then hold some 25 MB. */
export const SMALL_BYTES_EACH = 2 * 1024
/** All other bodies of a worker that are under way: those of 26 orders as large as may be, or of a thousand of 30 KB. */
export const LARGE_BODIES_BYTES = 32 * 1024 * 1024
/** architecture: the sweep runs on a plain one-second timer in one elected process. */
export const SWEEP_INTERVAL_MS = 1_000
/** design: the log keeps 16 KB of a response's body and 500 characters of an error's text. */
export const RESPONSE_LOG_BYTES = 16 * 1024
export const ERROR_TEXT_CHARS = 500
/** A worker pool says this often that it lives … */
export const POOL_BEAT_MS = 5_000
/** How often web and worker ask the database for the time. */
export const CLOCK_SECONDS = 10
/** A clock that is off by more is told of in the log. */
export const CLOCK_OFF_MS = 2_000
/** … and is taken for dead after four beats missed: what it held is free within 30 s, and a slow one is not robbed. */
export const POOL_DEAD_SECONDS = 20
/** The session that stands for a worker process is asked so often whether it still does. */
export const STANDING_BEAT_MS = 250
/** A process begins nothing when its session has not answered for so long … */
export const STANDING_FENCE_MS = 1_000
/** … and a little later ends what is under way to ordered webhooks … */
export const STANDING_ABORT_MS = 1_250
/** … before others, who see the session gone for so long, take over what it held. At once where they know that it has ended. */
export const GONE_MS = 1_600
/** How often they look: the next attempt comes within twice this and the time above … */
export const LOOKOUT_INTERVAL_MS = 250
/** … and as much later as it takes to elect another, where it was the lookout that was killed. */
export const ELECTION_INTERVAL_MS = 500
/** Work that this many workers died of, in a row and at one place, is suspect, and runs without any other beside it … */
export const SUSPECT_DEATHS = 2
/** … and with the next it is given up: nothing else of that process can have been the cause. */
export const WORKER_DEATHS_MAX = SUSPECT_DEATHS + 1
/** How often the dead are looked for. */
export const LIVENESS_INTERVAL_MS = 3_000

/** design: the delivery log is kept 30 days. Events and finished deliveries as long, so that what the log names can be sent again; mails too. */
export const RETENTION_DAYS = 30
/** Old rows go this many at a time, so that no statement of anybody's waits for long … */
export const PRUNE_BATCH = 1_000
/** … and what deletes them rests for as long as it took, and so long at least: half of one connection, whatever there is to delete. */
export const PRUNE_PAUSE_MS = 5
/** Deliveries that are looked at before a batch of events goes, which may have as many of them as there are webhooks: 20 ms. */
export const PRUNE_LOOKED_AT = 50_000
export const PRUNE_INTERVAL_MS = 60_000
/** Events kept for their pending deliveries are looked at again by every pass, and there may be a million: hence a rest between passes. */
export const PRUNE_EVENTS_INTERVAL_MS = 15 * 60_000
/** Recurring work that failed is tried again so soon, where it would not be sooner. */
export const RECURRING_AGAIN_MS = 10_000

/** design: the tenant's admins are warned at the third consecutive failure of a webhook. */
export const FAILURES_TO_WARN = 3
/** Graphile Worker's back-off makes that three and a half hours. */
export const MAIL_ATTEMPTS = 10
/** From connecting to the server's word that it has the mail. Within SHUTDOWN_GRACE_MS. */
export const MAIL_TIMEOUT_MS = 10_000

/** Webhooks whose secrets are encrypted anew in one transaction: their rows are locked for some 20 ms, and deliveries wait no longer. */
export const REENCRYPT_BATCH = 100
/** design: the old secret signs too for this long after a rotation, unless the tenant confirms the new one earlier. */
export const SECRET_OVERLAP_HOURS = 24
/** Headers of the tenant's own on each delivery, and the length of a name and of a value. */
export const CUSTOM_HEADERS_MAX = 20
export const HEADER_NAME_CHARS = 100
export const HEADER_VALUE_CHARS = 1_000
/** Requests a minute that a tenant may set as an endpoint's limit. */
export const PER_MINUTE_MAX = 60_000
/** A recovery sends this many at once, beside live traffic, and so many a second unless told otherwise. */
export const RECOVERY_PARALLEL = 2
export const RECOVERY_PER_SECOND = 10
export const RECOVERY_PER_SECOND_MAX = 100
/**
 * What is counted for a caller is counted up to this: of a backlog of millions that is an answer as good as any, and who asks again and again
 * takes the database from nobody.
 */
export const COUNT_MAX = 10_000
/** To count what a recovery is to send, so many events are looked at, a slice at a time, and for so long at most. */
export const RECOVERY_COUNT_SLICES = 5
export const RECOVERY_COUNT_SLICE = 20_000
export const RECOVERY_COUNT_MS = 1_000
/** A receiver that refuses this many in a row is down: the recovery ends rather than hammer it. */
export const RECOVERY_FAILURES_MAX = 50
/** Recoveries under way at once in one process, so that they never hold the slots of live deliveries. */
export const RECOVERIES_AT_ONCE = 16
/** Webhooks that catch up at once in one worker process: each runs a statement of a thousand rows after the other. */
export const CATCH_UPS_AT_ONCE = 8
/** Attempts that an endpoint's health is told from: of 100 events a second there are millions in 24 hours. */
export const HEALTH_SAMPLE = 10_000
/** Lines of the log looked at for them: a recovery's lie among them, and are passed over. */
export const HEALTH_SCAN = 20_000
/** Rows that one statement writes when an endpoint catches up: short enough not to hold anybody up. */
export const CATCH_UP_BATCH = 1_000
/** SIGTERM: requests and deliveries in flight have this long to finish. */
export const SHUTDOWN_GRACE_MS = 15_000

/** spec: a verifier rejects a webhook signature older or newer than this. */
export const SIGNATURE_AGE_SECONDS = 300

/** Downloads under way at once in one web process: each holds about three pieces of 2 MB, all 96 MB. */
export const DOWNLOADS_AT_ONCE = 16
/** A reader who takes less than a piece in this time, 3.5 KB a second, has stopped. */
export const DOWNLOAD_STALL_MS = 600_000
/** Connections for exports in one process, of their own: none of the pool's nor of the lanes' is ever held by one. A tenant's share is one. */
export const EXPORT_POOL = 4
/** A filter that matches little of much may have to look for long. */
export const EXPORT_STATEMENT_MS = 60_000
/** Exports of one tenant that are being written at once, and in one worker process. */
export const EXPORTS_OF_TENANT = 5
export const EXPORTS_AT_ONCE = 2
/** How long an export's file is kept, in days from its end. */
export const EXPORT_DAYS = 7

/** Columns of a CSV that is imported, and the length of a column's name: those of `items[99].metadata.…` and all others have room. */
export const CSV_COLUMNS_MAX = 2_000
export const CSV_COLUMN_CHARS = 200
/** Imports of one tenant that are not over: each may hold 2 GB of the database's disk until it is. */
export const IMPORTS_OF_TENANT = 10
/** Clients that follow imports at once in one web process: each has the database asked twice a second. */
export const FOLLOWERS_AT_ONCE = 100
/** Imports applied at once in one worker process: each is as fast as a core, so more would only keep the rest waiting. */
export const IMPORTS_AT_ONCE = 2
