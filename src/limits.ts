// Every limit, named, with its unit and its reason.

/** Requests per minute of a key, in a sliding log of 60 seconds with two buckets. */
export const PLANS = {
  free: { read: 30, write: 5 },
  starter: { read: 60, write: 15 },
  professional: { read: 120, write: 30 },
  business: { read: 300, write: 60 },
  enterprise: { read: 600, write: 120 },
} as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

/** The limiter's window. The ring of slots in sql/ is as long as the largest plan's limit. */
export const RATE_WINDOW_SECONDS = 60
/** Callers without a valid key share a bucket per address; beyond it a 401 or 403 becomes a 429. */
export const ANONYMOUS_PER_MINUTE = 600
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

/** Tags of an order, a contact or another thing, and characters of each. */
export const TAGS_MAX = 50
export const TAG_CHARS = 64

/** The version of MCP that the interface names. */
export const MCP_VERSION = '2025-03-26'
/** Messages of one JSON-RPC batch: with ten times as many a caller could hold the process for a second. */
export const MCP_BATCH_MAX = 50
/** Faults of a call that are told: a model mends it by the first few. */
export const MCP_ERRORS_MAX = 20
/** Reads of a batch at once: they share the process's few connections with all other requests. */
export const MCP_READS_AT_ONCE = 8
/** Requests of a credential in a minute and process that are not calls of tools alone: those are limited by its plan. */
export const MCP_OTHERS_PER_MINUTE = 600
/** The query parameter `limit` of tools: a model reads a page of 50 at the price of a long mail. */
export const MCP_PAGE_MAX = 50
export const MCP_PAGE_DEFAULT = 20
/** Characters of a tool's result: some 10 000 tokens, a twentieth of what a model attends to. And of one of its items, with the rest for what stands around them. */
export const MCP_RESULT_CHARS = 40_000
export const MCP_ITEM_CHARS = 36_000
/** A text is cut there: the longest message has twice as many, and a page of them is still read. */
export const MCP_TEXT_CHARS = 2_000
export const MCP_TEXT_CHARS_DETAILED = 8_000
/** Custom instructions of the assistant: the model reads them with every message. */
export const PERSONA_CHARS = 4_000
/** Clients of the agent server hand all descriptions to the model with every request. */
export const MCP_DESCRIPTION_CHARS = 700
export const MCP_INSTRUCTIONS_CHARS = 1_500

/** How long a use of a key waits to be recorded, together with others: it is kept to the minute. */
export const LAST_USE_MS = 60_000
/** Uses recorded in one statement. */
export const LAST_USES_AT_ONCE = 1_000
/** Keys that are listed, the newest: a workspace has a handful. */
export const KEYS_LISTED = 1_000
/** Keys on a page of the dashboard. */
export const KEYS_PER_PAGE = 100

/** How often the keys of streams and uploads under way are checked for revocation: one statement for all of a process. */
export const REVOCATION_LOOK_MS = 20_000

/** The query parameter `limit` is 1..100, 50 by default. */
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 50
/** Rows that one page of a list may read: 5 to 20 ms of work. See docs/decisions, "A page of a list is bounded work". */
export const LIST_SCAN_MAX = 10_000
/** Rows that a page may read on the connections that all lists share: 1 to 3 ms of work. A page that needs more is a long read. */
export const LIST_GLANCE = 1_000
/** Long reads at once in one web process, on connections of their own: pages by offset or of rare rows, and the health of webhooks. */
export const LONG_READS_AT_ONCE = 4
/** Long reads of a web process that wait for their turn. A tenant has one turn at a time, and its share is no more than a client waits for. */
export const LONG_READS_WAITING = 80

/** Messages of one visitor of a web chat in a minute, and files in a time: people do not write faster. */
export const CHAT_MESSAGES_A_MINUTE = 20
export const CHAT_FILES = 5
export const CHAT_FILES_SECONDS = 600
/** The most bytes of a visitor's file. */
export const CHAT_FILE_BYTES = 10 * 1024 ** 2
/** Files of visitors on their way in, in one web process. */
export const CHAT_FILES_AT_ONCE = 32
/** When an answer that a visitor has not seen is mailed; how many such mails a day and conversation; and how much of the answers a mail shows. */
export const CHAT_MAIL_AFTER_SECONDS = 300
export const CHAT_MAILS_A_DAY = 3
export const CHAT_MAIL_MESSAGES = 10
export const CHAT_MAIL_CHARS = 2_000
export const DAY_SECONDS = 86_400
/** Live streams of one visitor, such as of several tabs: one more ends the oldest. */
export const CHAT_STREAMS_OF_VISITOR = 3
/** How often a visitor's typing is told, and how long it is shown. */
export const CHAT_TYPING_A_MINUTE = 30
export const CHAT_TYPING_MS = 6_000
/** Messages of a page of a talk. */
export const CHAT_PAGE = 50
/** How long the link in a mail goes on with a talk; and how long it can still end such mails. */
export const CHAT_LINK_DAYS = 7
export const CHAT_MAILS_DAYS = 90
/** JSON of a guest: a message, an identity. */
export const GUEST_BODY_BYTES = 64 * 1024
/** How long a browser relies on the answer to its question whether it may ask. */
export const GUEST_PREFLIGHT_SECONDS = 600
/** Conversations, and orders, that a merge of two contacts moves in one transaction: some 50 ms of work. */
export const MERGED_AT_ONCE = 1_000
/** Channels that a contact shows, the first ones: a person has a handful, and what is merged may bring many. */
export const CONTACT_CHANNELS_SHOWN = 50

/** The most bytes of a body. */
export const JSON_BODY_BYTES = 1024 * 1024
export const BULK_BODY_BYTES = 4 * JSON_BODY_BYTES
/** The most bytes of an import's file. */
export const IMPORT_BODY_BYTES = 2 * 1024 ** 3
/** Chunks of a JSON body: each costs a microsecond or two, however small. The longest body then has 64 bytes a chunk on average. */
export const BODY_PIECES_MAX = 64 * 1024
/** The most bytes of a callback: the platforms' largest are some hundred updates in one call. */
export const CALLBACK_BODY_BYTES = 4 * JSON_BODY_BYTES
/** Callbacks that one address may send in a minute: of channels, and of payment providers. */
export const INBOUND_CHANNEL_LIMIT = 60
export const INBOUND_PAYMENT_LIMIT = 30
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
/** How long callbacks are kept: those that did what they were for, and those that somebody may still want to apply. */
export const CALLBACK_DONE_DAYS = 7
export const CALLBACK_LEFT_DAYS = 30

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
/** Deeper JSON is refused: no resource nests further, and deep trees are how parsers are attacked. */
export const JSON_DEPTH = 32
/** Values of one body or row, whatever its length: the fullest order holds 5 900, and 350 000 fit in a megabyte … */
export const JSON_VALUES_MAX = 10_000
/** … and of a bulk request: 50 of the fullest products hold 94 000. Reading so many takes a tenth of a second. */
export const BULK_VALUES_MAX = 10 * JSON_VALUES_MAX
/** Values of one list or object within a body or row: none needs more than 100, and an object with as many names as a bulk request may have
    values takes a third of a second to parse and check. */
export const JSON_BREADTH = 5_000
/** A longer body is parsed in parts: this one takes five milliseconds, or fifteen if it is made to. */
export const JSON_SLICE_BYTES = 256 * 1024
/** The work of a request in one go: a body that takes longer to check lets other requests run in between. */
export const EVENT_LOOP_SLICE_MS = 4
/** The public JSON that one statement writes: with all its processing about 5 ms of the event loop. More JSON takes several statements. */
export const STATEMENT_CHARS = 256 * 1024
/** Errors told for one request. More would bury the first ones. */
export const ERRORS_MAX = 100
/** Characters of an error's field: longer than any path of the interface, but no megabyte. An answer with 100 errors stays near 100 KB. */
export const FIELD_CHARS = 120

/** Transactions usually last milliseconds. An older one that holds back events is reported to those that wait for them. */
export const HELD_BACK_TOLD_SECONDS = 5

/** A duplicate of an Idempotency-Key is recognised for this long. */
export const IDEMPOTENCY_HOURS = 24
/** A claim whose process died lapses after this. It is renewed while its request runs, three times as often. */
export const IDEMPOTENCY_CLAIM_SECONDS = 6
/** No statement of a request may run longer: a stuck lock must answer 503, not hang a caller. */
export const REQUEST_STATEMENT_MS = 15_000

/** The readiness probes of load balancers usually wait for 2 s or more. */
export const READY_LIMIT_MS = 1_500

/** Metadata holds at most 50 keys, with values of at most 500 characters. */
export const METADATA_KEYS = 50
export const METADATA_VALUE_CHARS = 500
/** Lines of one order. Larger work is split or imported. */
export const ORDER_ITEMS_MAX = 100
/** The most of `items[].quantity`. */
export const QUANTITY_MAX = 9_999
/** Minor units. With 100 lines of 9 999 pieces an order's total stays an exact JavaScript integer. */
export const AMOUNT_MAX = 9_000_000_000
export const STOCK_MAX = 1_000_000_000
/** Conversations on a page by default, and messages in the detail of one: lists have none, so their number is bounded there. */
export const CONVERSATIONS_PAGE_DEFAULT = 20
export const CONVERSATION_MESSAGES = 50
/** The part of a conversation's last message that a list shows. */
export const MESSAGE_PREVIEW_CHARS = 200
/** How long a receipt, an edit or a reaction waits for the message that it speaks of. */
export const MESSAGE_AWAITED_MS = 60_000
/** How long an echo waits for the record of our own request that says the same: longer than a platform may take to answer. Then it is a human's. */
export const ECHO_AWAITED_MS = 25_000
/** A platform is told that somebody types at most so often; what is older than this is not told any more. */
export const TYPING_EVERY_SECONDS = 5
export const TYPING_STALE_MS = 3_000
/** How long a platform may take to answer that, and how much of its answer is read: nothing hangs on it. */
export const SIGNAL_TIMEOUT_MS = 3_000
export const SIGNAL_ANSWER_BYTES = 1_024
/** Messages of a conversation that one echo or one watermark is compared with: the oldest under way, the newest that were sent. */
export const MESSAGES_COMPARED = 200
/** The longest text of a message; a channel may take less. */
export const TEXT_CHARS = 4_096
/** An identical message of a human is refused for so long. */
export const DUPLICATE_MS = 60_000
/** Choices that a message offers, and characters of each: what the buttons of every platform take. */
export const CHOICES_MAX = 3
/** design: what a visitor of web chat writes at once, as what a reply holds */
export const CHAT_TEXT_CHARS = 4096
/** The most of the chat's script over the wire, compressed by gzip: a page of a shop loads it beside all it has already. */
export const CHAT_SCRIPT_BYTES = 15 * 1024
/** How long browsers keep the script without asking: after an update all pages have the new one within five minutes. */
export const CHAT_SCRIPT_SECONDS = 300
export const CHOICE_TITLE_CHARS = 20
/** A product with this many pieces left, or fewer, is low on stock. */
export const LOW_STOCK = 5

/** No response within 10 seconds is a failure: 10 s to the response's headers, 12 s in all. */
export const DELIVERY_TIMEOUT_MS = 10_000
export const DELIVERY_BODY_EXTRA_MS = 2_000
/** When attempts 1 to 5 take place: in seconds after the first. */
export const DELIVERY_SCHEDULE_SECONDS = [0, 8, 60, 300, 1800] as const
/** ±10 % of a schedule, so that a recovering receiver does not get all retries at once. */
export const RETRY_JITTER = 0.1
/** A platform's time to answer. Files are sent as long as they move. */
export const CHANNEL_TIMEOUT_MS = 15_000
/** After that, for the rest of the answer, which is short. */
export const CHANNEL_BODY_EXTRA_MS = 5_000
/** The most of an answer that is read: a platform names a message or an error in less. */
export const CHANNEL_ANSWER_BYTES = 16 * 1024
/** For all of a file's way to its platform: 20 MB at 70 KB a second. */
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

/** Consecutive failures after which a webhook is disabled. */
export const FAILURES_TO_DISABLE = 5
/** Requests at once to one endpoint, unless it sets a number … */
export const ENDPOINT_CAP = 8
/** … which is at most this. */
export const PARALLEL_MAX = 64
/** The lease of an endpoint; it lapses where the lookout cannot tell that a killed worker is gone. */
export const LEASE_SECONDS = 25
/** A job releases its slot after this long, so that many endpoints share few slots. */
export const TIME_SLICE_MS = 5_000
/** Deliveries claimed at a time: half a second of work for an endpoint that answers in 60 ms at a cap of 8. More would cost the garbage collector. */
export const CLAIM_MAX = 64
/** A body up to this size is read together with its delivery … */
export const SMALL_BODY_BYTES = 8 * 1024
/** … while all bodies claimed with it stay within this, times the number of requested deliveries: 600 slices then hold some 25 MB. */
export const SMALL_BYTES_EACH = 2 * 1024
/** All other bodies in a worker's memory: those of 26 orders of the largest size, or of a thousand of 30 KB. */
export const LARGE_BODIES_BYTES = 32 * 1024 * 1024
/** How often the sweep runs, on a plain timer in one elected process. */
export const SWEEP_INTERVAL_MS = 1_000
/** The log keeps 16 KB of a response's body and 500 characters of an error's text. */
export const RESPONSE_LOG_BYTES = 16 * 1024
export const ERROR_TEXT_CHARS = 500
/** How often web and worker ask the database for the time. */
export const CLOCK_SECONDS = 10
/** A clock that is off by more is logged. */
export const CLOCK_OFF_MS = 2_000
/** How often a worker pool says that it lives … */
export const POOL_BEAT_MS = 5_000
/** … and when it counts as dead, after four missed beats: its jobs are free within 30 s, and a slow pool keeps them. */
export const POOL_DEAD_SECONDS = 20
/** How often a worker process checks the session that stands for it. */
export const STANDING_BEAT_MS = 250
/** A process begins no work when its session has not answered for this long … */
export const STANDING_FENCE_MS = 1_000
/** … and a little later ends the deliveries under way to ordered webhooks … */
export const STANDING_ABORT_MS = 1_250
/** … before other processes, which see the session gone for this long, take over its work. They do so at once if they know that it has ended. */
export const GONE_MS = 1_600
/** How often they check: the next attempt follows within twice this and the time above … */
export const LOOKOUT_INTERVAL_MS = 250
/** … or, if the killed process was the lookout, once another is elected. */
export const ELECTION_INTERVAL_MS = 500
/** Work during which this many workers died in a row, at one place, is suspect, and runs alone … */
export const SUSPECT_DEATHS = 2
/** … and after one more death it is given up: no other work of that process can have been the cause. */
export const WORKER_DEATHS_MAX = SUSPECT_DEATHS + 1
/** How often dead pools are looked for. */
export const LIVENESS_INTERVAL_MS = 3_000

/** How long the delivery log is kept. Events and finished deliveries are kept as long, so that they can be sent again from the log; mails too. */
export const RETENTION_DAYS = 30
/** Old rows are deleted this many at a time, so that no other statement waits long … */
export const PRUNE_BATCH = 1_000
/** … with a rest as long as the deletion took, and at least this long: half of one connection, however much there is to delete. */
export const PRUNE_PAUSE_MS = 5
/** Deliveries that are checked before a batch of events is deleted; an event has as many as there are webhooks. 20 ms. */
export const PRUNE_LOOKED_AT = 50_000
export const PRUNE_INTERVAL_MS = 60_000
/** Every pass checks the events again that are kept for pending deliveries, perhaps a million: hence the long rest between passes. */
export const PRUNE_EVENTS_INTERVAL_MS = 15 * 60_000
/** A pass reads the oldest callbacks of every channel. */
export const PRUNE_CALLBACKS_INTERVAL_MS = 15 * 60_000
/** A pass looks once for every workspace. */
export const PRUNE_LIVE_INTERVAL_MS = 5 * 60_000
/** How soon failed recurring work is tried again, if it is not due earlier. */
export const RECURRING_AGAIN_MS = 10_000

/** Consecutive failures of a webhook at which the tenant's admins are warned. */
export const FAILURES_TO_WARN = 3
/** Within three and a half hours, by Graphile Worker's back-off. */
export const MAIL_ATTEMPTS = 10
/** From connecting until the server accepts the mail. Within SHUTDOWN_GRACE_MS. */
export const MAIL_TIMEOUT_MS = 10_000

/** Webhooks whose secrets are encrypted anew in one transaction: their rows are locked for some 20 ms, and deliveries wait no longer. */
export const REENCRYPT_BATCH = 100
/** How long the old secret signs too after a rotation, unless the tenant confirms the new one earlier. */
export const SECRET_OVERLAP_HOURS = 24
/** The tenant's own headers on each delivery, and the length of a name and of a value. */
export const CUSTOM_HEADERS_MAX = 20
export const HEADER_NAME_CHARS = 100
export const HEADER_VALUE_CHARS = 1_000
/** The largest limit of requests a minute that a tenant may set for an endpoint. */
export const PER_MINUTE_MAX = 60_000
/** How many deliveries a recovery sends at once, beside live traffic, and how many a second unless a rate is given. */
export const RECOVERY_PARALLEL = 2
export const RECOVERY_PER_SECOND = 10
export const RECOVERY_PER_SECOND_MAX = 100
/**
 * Counts for a caller end here: for a backlog of millions that is as good an answer as any, and frequent requests do not load the database.
 */
export const COUNT_MAX = 10_000
/** To count the deliveries of a recovery, at most this many events are read, a slice at a time, and for at most this long. */
export const RECOVERY_COUNT_SLICES = 5
export const RECOVERY_COUNT_SLICE = 20_000
export const RECOVERY_COUNT_MS = 1_000
/** A receiver that refuses this many in a row is down: the recovery ends instead of hammering it. */
export const RECOVERY_FAILURES_MAX = 50
/** Recoveries under way at once in one process, so that they never hold the slots of live deliveries. */
export const RECOVERIES_AT_ONCE = 16
/** Webhooks that catch up at once in one worker process: each runs a statement of a thousand rows after the other. */
export const CATCH_UPS_AT_ONCE = 8
/** Attempts from which an endpoint's health is computed: 100 events a second make millions in 24 hours. */
export const HEALTH_SAMPLE = 10_000
/** Lines of the log that are read for them: those of recoveries lie in between, and are skipped. */
export const HEALTH_SCAN = 20_000
/** Rows that one statement writes when an endpoint catches up: short enough not to hold up other statements. */
export const CATCH_UP_BATCH = 1_000
/** SIGTERM: requests and deliveries in flight have this long to finish. */
export const SHUTDOWN_GRACE_MS = 15_000

/** A verifier rejects a webhook signature older or newer than this. */
export const SIGNATURE_AGE_SECONDS = 300

/** Downloads at once in one web process: each holds about three pieces of 2 MB, all 96 MB. */
export const DOWNLOADS_AT_ONCE = 16
/** A client that takes less than a piece in this time, 3.5 KB a second, has stopped. */
export const DOWNLOAD_STALL_MS = 600_000
/** Separate connections for exports in one process: exports never hold one of the pool or of the lanes. A tenant's share is one. */
export const EXPORT_POOL = 4
/** A filter that matches few of many rows may take long. */
export const EXPORT_STATEMENT_MS = 60_000
/** Exports written at once for one tenant, and in one worker process. */
export const EXPORTS_OF_TENANT = 5
export const EXPORTS_AT_ONCE = 2
/** How long an export's file is kept, in days from its end. */
export const EXPORT_DAYS = 7

/** Columns of an imported CSV, and the length of a column's name: all columns have room, up to `items[99].metadata.…`. */
export const CSV_COLUMNS_MAX = 2_000
export const CSV_COLUMN_CHARS = 200
/** Unfinished imports of one tenant: each may take 2 GB of the database's disk until it ends. */
export const IMPORTS_OF_TENANT = 10
/** Clients that follow imports at once in one web process: each costs two statements a second. */
export const FOLLOWERS_AT_ONCE = 100
/** Imports applied at once in one worker process: each uses a whole core, so more would only slow down other work. */
export const IMPORTS_AT_ONCE = 2

/** Payment providers of a workspace: a shop has one or two accounts, and one for tests. */
export const PROVIDERS_MAX = 20
/** Signing secrets of a provider at once: while one is rolled there are two. Each costs a callback an HMAC. */
export const PROVIDER_SECRETS_MAX = 5
/** A refund or a dispute waits so long for its payment: Stripe repeats what it could not deliver for three days. */
export const PAYMENT_AWAITED_MS = 3 * 24 * 60 * 60_000
/** A refund waits so long for an earlier one of its payment; then both are booked as one. */
export const REFUND_AWAITED_MS = 60_000
/** How often what has waited for too long is looked for, and how much of it is taken at once. */
export const AWAITED_INTERVAL_MS = 5_000
export const AWAITED_TOGETHER = 100
/** Updates that wait for one payment and are looked at with it. */
export const AWAITING_ONE_MAX = 1_000
/** Events of a provider are known for so long: Stripe repeats one for three days by itself, and for thirty by hand. */
export const PAYMENT_EVENTS_DAYS = 32
/** Payments named in one mail. */
export const MAILED_PAYMENTS_MAX = 20

/** How far back a live stream can go on. */
export const LIVE_HOURS = 24

/** Channels of a workspace: each is asked by `doctor`, and each has its own turn of callbacks and of sending. */
export const CHANNELS_PER_WORKSPACE = 100
/** Messages of a channel that are counted as queued or unknown: a page shows a hundred channels. */
export const UNSETTLED_COUNTED_MAX = 10_000
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
/** The longest time without a byte of a file … */
export const FETCH_IDLE_MS = 20_000
/** … and for all of it: 20 MB at 35 KB a second. */
export const FETCH_TOTAL_MS = 600_000
/** Files of messages sent to readers at once by one web process, each holding two pieces of 48 KB; a page shows many pictures at once. */
export const FILES_AT_ONCE = 64

/** Tokens of Instagram's own login live for 60 days: renewed every week, there are eight attempts before one ends. */
export const TOKEN_RENEWED_DAYS = 7
/** How often it is looked for tokens that are to be renewed. */
export const RENEW_TOKENS_INTERVAL_MS = 60 * 60_000

/** The longest e-mail address (RFC 5321), and a name of a person or a workspace that still fits a line. */
export const EMAIL_CHARS = 254
export const PERSON_NAME_CHARS = 100
/** Characters of a password where it is the only factor (NIST SP 800-63B-4), and at most: hashing more adds nothing. */
export const PASSWORD_CHARS_MIN = 15
export const PASSWORD_CHARS_MAX = 256
/** Passwords that a process hashes at once: 19 MB and a core each. Others wait for their turn, no longer than a browser's user does. */
export const HASHES_AT_ONCE = 2
export const HASH_WAIT_MS = 10_000
/** … and this many: what two cores hash in that time. */
export const HASHES_WAITING = 400
/** Invitations of a workspace that are open at once, and in a day: a team is invited in one go, and nobody else is to be mailed through us. */
export const INVITATIONS_OPEN_MAX = 100
export const INVITATIONS_OF_WORKSPACE = { most: 200, seconds: DAY_SECONDS }
/** Sessions of a person: one more ends the one that was used longest ago. */
export const SESSIONS_PER_PERSON = 50
/** How long the links in mails work: an invitation for a week, a new password for an hour. */
export const INVITATION_DAYS = 7
export const RESET_MINUTES = 60
/** Links that are mailed to one address in an hour: a person needs one, and nobody is to be flooded. */
export const LINKS_PER_HOUR = 5
/** Rows of the audit log that a command or a page shows unless told otherwise, and at most. */
export const AUDIT_PAGE_DEFAULT = 100
export const AUDIT_PAGE_MAX = 10_000

/** A form's body, and its fields: the longest has some forty, and a text of 4 000 characters. */
export const FORM_BODY_BYTES = 64 * 1024
export const FORM_FIELDS_MAX = 200
/** A form that was open for longer is to be opened anew. */
export const FORM_HOURS = 24
/** What a form did, in a cookie: browsers keep 4 KB. */
export const NOTICE_CHARS = 500
/** Files with a hash in their name never change. */
export const ASSET_SECONDS = 365 * DAY_SECONDS
/** For so long browsers ask for this host over https alone. */
export const HSTS_SECONDS = 365 * DAY_SECONDS
/** A session ends so long after its last use, and so long after the sign-in whatever its use. */
export const SESSION_IDLE_DAYS = 7
export const SESSION_DAYS = 30
/** What is dangerous asks for the password where it was given longer ago. */
export const PASSWORD_AGAIN_SECONDS = 3600
/** Failed sign-ins of one account from one address, of one address, and of one account from anywhere; see design of sign-in in docs/sign-in.md. */
export const FAILURES_HERE = { most: 10, seconds: 900 }
export const FAILURES_OF_ADDRESS = { most: 50, seconds: 900 }
export const FAILURES_OF_ACCOUNT = { most: 200, seconds: DAY_SECONDS }
/** Where an account has too many failures, addresses from which it signed in within this time still get on. */
export const KNOWN_ADDRESS_DAYS = 30
/** Resets that one address may ask for in an hour. */
export const RESETS_OF_ADDRESS = { most: 20, seconds: 3600 }
/** Characters of a browser's own description that are kept. */
export const USER_AGENT_CHARS = 300

/** An authorization code: the client exchanges it at once. */
export const OAUTH_CODE_SECONDS = 60
/** An access token: what is taken back otherwise than by us is worth something for no longer. */
export const ACCESS_TOKEN_SECONDS = 3_600
/** A refresh token may come again for so long, with the same result: clients race with themselves, and lose answers. */
export const REFRESH_GRACE_SECONDS = 120
/** A grant ends when it was unused for so long, and so does a refresh token. */
export const GRANT_UNUSED_DAYS = 30
/** Grants of a person in a workspace: one more ends the one that was used longest ago. Each has a log of its requests, and lists end at GRANTS_LISTED. */
export const GRANTS_PER_PERSON = 100
/** Grants that a page or a command lists. */
export const GRANTS_LISTED = 1_000
/** Hosts of a client that are named beside it: it may have registered twenty. */
export const GRANT_HOSTS_SHOWN = 3
/** Registered clients that never led to a grant. */
export const CLIENT_UNUSED_DAYS = 7
/** Redirect URIs of a client, and the characters of each; the name that it gives itself. */
export const REDIRECT_URIS_MAX = 20
export const REDIRECT_URI_CHARS = 2_000
export const CLIENT_NAME_CHARS = 200
/** What a client sends of itself, or with a token; and the values in it. */
export const OAUTH_BODY_BYTES = 64 * 1024
export const OAUTH_VALUES_MAX = 1_000
/** A client's own document: how long it may take, and be; how long it is fresh, whatever it says; and serves where it cannot be read again. */
export const DOCUMENT_TIMEOUT_MS = 5_000
export const DOCUMENT_BYTES = 16 * 1024
export const DOCUMENT_FRESH_SECONDS = { least: 300, most: DAY_SECONDS, unsaid: 3_600 }
export const DOCUMENT_SERVES_DAYS = 7
/** Documents that are read for one person. */
export const DOCUMENTS_OF_PERSON = { most: 30, seconds: 60 }
/** Registrations of one address in an hour. */
export const OAUTH_REGISTRATIONS_PER_HOUR = 60

/** What is counted counts in a quarter hour: the midnight of every time zone begins one. */
export const QUARTER_MS = 15 * 60_000
/** How often what was counted is folded, rows of one statement, and for how long before other recurring work is let on. */
export const FOLD_INTERVAL_MS = 2_000
export const FOLD_ROWS = 2_000
export const FOLD_MS = 1_000
/** Folding that is later than this has stopped. */
export const FOLD_LATE_SECONDS = 60
/** What was counted is kept for so long. */
export const ANALYTICS_DAYS = 400
/** Days of a block of figures (sql/0049_analytics_blocks.sql): of thirty days five or six blocks are whole, and so at most ten rows of a product are read. */
export const BLOCK_DAYS = 5
/** Products in an answer about a period. */
export const TOP_PRODUCTS = 5
/** Days and formats of time zones that a process remembers: a day is small, and a format takes some ten kilobytes. */
export const DAYS_REMEMBERED = 20_000
export const ZONES_REMEMBERED = 50

/** Apps of a workspace: each event is held against the flows of all. */
export const APPS_MAX = 50
/** `app dev` looks at the latest calls and runs so often, installs so long after the last sign of a save, and tells of so many at once. */
export const APP_FOLLOW_MS = 300
export const APP_SAVE_MS = 100
export const APP_FOLLOWED_MAX = 50
/** What an uninstalled app left is kept for so long: installing it again brings it back. */
export const UNINSTALLED_DAYS = 30
/** A revision of before is kept for longer than a run can take: ten waits of a month each. */
export const REVISION_DAYS = 310
/** Manifests that a process keeps read, in characters of their text: a hundred of the usual size, or some of the largest. */
export const MANIFESTS_KEPT_CHARS = 4 * 1024 ** 2
/** A text value of an app's setting; a key or a token, but no file. */
export const CONFIG_VALUE_CHARS = 4_000
/** The secret of an app's credential: a signed token, at most. */
export const CREDENTIAL_CHARS = 4_000

/** An app's manifest, and what it may hold: each is checked as a whole, in one go, before anything of it is kept. */
export const MANIFEST_BYTES = 512 * 1024
export const MANIFEST_LISTS = {
  scopes: 100,
  resources: 20,
  fields: 40,
  enumValues: 100,
  relations: 3 * 2,
  skills: 30,
  views: 20,
  knowledge: 100,
  config: 50,
  flows: 20,
  steps: 10,
  conditions: 20,
} as const
/** The name of a field of records: as every name in a manifest. */
export const FIELD_NAME_CHARS = 63
/** A text in a field of a record: a paragraph, not a document. */
export const RECORD_STRING_CHARS = 4_000
/** Filters on fields of records in one request: each is a condition on every row that is looked at. */
export const RECORD_FILTERS_MAX = 10
/** Records that the assistant is given at once. */
export const RECORDS_FOR_ASSISTANT_MAX = 10
/** A text of knowledge, as UTF-8. */
export const KNOWLEDGE_BYTES = 64 * 1024
/** Titles of knowledge in an answer of the agent server: as many of the longest as it has room for. */
export const KNOWLEDGE_LISTED = 100
/** Records that are counted to say how many an upgrade would not fit. */
export const RECORDS_COUNTED_MAX = 10_000
/** A flow waits between a minute and a month. */
export const WAIT_MINUTES_MAX = 43_200
/** design: an event of this depth starts no flow. */
export const FLOW_DEPTH_MAX = 3
/** Runs of one app at once. */
export const RUNS_AT_ONCE = 8
/** design: a run goes on for so long between its waits, from its first step; after that it has expired. */
export const RUN_MS = 10 * 60_000
/** When a step is tried again that ended with an error of ours, in seconds; after that the run has failed. */
export const STEP_RETRY_SECONDS = [1, 5, 30, 120] as const
/** How soon a call is asked again that the app's breaker or its cap did not let through, where that is not said. */
export const CALL_AGAIN_SECONDS = 5
/** Workspaces whose events are matched in one transaction, events of it, bytes of their bodies, and runs that it writes. */
export const FLOW_TENANTS_TOGETHER = 20
export const MATCHED_EVENTS = 200
export const MATCHED_BYTES = 8 * 1024 * 1024
export const RUNS_WRITTEN_TOGETHER = 2_000
/** An event that cannot be matched is given up after so many attempts, an hour after it happened. */
export const MATCH_ATTEMPTS = 6
/** How long a slice of an app's runs goes on where nothing else waits for its slot: as long as a call may take. */
export const RUNS_SLICE_MAX_MS = 60_000
/** What apps tell the team. */
export const NOTIFICATION_TITLE_CHARS = 200
export const NOTIFICATION_BODY_CHARS = 4_000
/** design: warnings of an app that are mailed in an hour; one more mail says how many more there were. */
export const WARNING_MAILS_AN_HOUR = 20
/** How often it is looked for those. */
export const HELD_BACK_MAILS_INTERVAL_MS = 60_000
/** design: what a flow renders: a text, and all that a step is given. */
export const RENDERED_STRING_BYTES = 16 * 1024
export const RENDERED_BYTES = 64 * 1024
/** A schema of an app's: its text, its parts with every reference written out in its place, and the list that may be compared each with each. */
export const APP_SCHEMA_BYTES = 64 * 1024
export const APP_SCHEMA_PARTS = 2_000
export const APP_SCHEMA_UNIQUE_ITEMS = 1_000
/** Compiled schemas of apps that a process keeps. */
export const APP_SCHEMAS_KEPT = 500
/** The states of all patterns of such a schema: each state costs something for every character that is matched. */
export const APP_SCHEMA_PATTERN_STATES = 10_000

/** spec: an app's service has 30 seconds for its whole answer, unless told otherwise … */
export const SKILL_TIMEOUT_MS = 30_000
/** … and both attempts of a call have 60, whatever is told. */
export const SKILL_TOTAL_MS = 60_000
/** spec: the rest of an answer is not read. */
export const SKILL_ANSWER_BYTES = 256 * 1024
/** Arguments as they are sent. */
export const SKILL_ARGUMENTS_BYTES = 64 * 1024
/** spec: calls of one app in a turn of a conversation, and of one of its skills. */
export const SKILL_CALLS_PER_TURN = 8
export const SKILL_CALLS_OF_ONE = 3
/** Requests at once to one installed app, from one process. */
export const SKILL_CALLS_AT_ONCE = 8
/** How long a call waits for one of them to end: a customer waits too. */
export const SKILL_PLACE_MS = 5_000
/** A call without an answer for this long no longer counts among those of its process, where these are many. */
export const SKILL_SLOW_MS = 250
/** Calls in a row without an answer below 500 after which an app is spared: for 30 s, then twice as long each time, up to 5 min. */
export const SKILL_BREAKER_CALLS = 5
export const SKILL_SPARED_SECONDS = 30
export const SKILL_SPARED_MAX_SECONDS = 300
/** Outputs of calls are kept whole for a day, for calls that are repeated; after that the log's part of the answer is left. */
export const SKILL_OUTPUT_HOURS = 24

/** Scripts of app authors, run in a sandbox. The code, and what is handed out: the result as JSON, and what was logged, as UTF-8. */
export const SANDBOX_CODE_BYTES = 64 * 1024
export const SANDBOX_RESULT_BYTES = 256 * 1024
export const SANDBOX_LOG_LINES = 1_000
export const SANDBOX_LOG_BYTES = 64 * 1024
/** How long a script may run. */
export const SANDBOX_MS = 2_000
export const SANDBOX_MS_MAX = 5_000
/** How long after its time a script's thread is ended: several built-ins never ask whether their time is over. */
export const SANDBOX_GRACE_MS = 250
/** What a script may take, and how much the thread has besides, for the interpreter itself and to tell what went wrong. */
export const SANDBOX_MEMORY_BYTES = 64 * 1024 * 1024
export const SANDBOX_RESERVE_BYTES = 16 * 1024 * 1024
export const SANDBOX_STACK_BYTES = 512 * 1024
/** Scripts of a web process at once, those that wait for them, and how long. */
export const SANDBOX_AT_ONCE = 2
export const SANDBOX_WAITING = 8
export const SANDBOX_WAIT_MS = 10_000
/** Of one workspace one runs, and so many wait. */
export const SANDBOX_WAITING_OF_TENANT = 2
/** A thread is kept ready for so long after a script, for the next one. */
export const SANDBOX_SPARE_MS = 60_000
/** A thread that is not ready by then never will be. */
export const SANDBOX_START_MS = 10_000

/** What an app is described in, and the longest sentence of it that is read. */
export const DESCRIPTION_CHARS = 8_000
export const DESCRIPTION_SENTENCE_CHARS = 1_000
/** The values in a body with a manifest: as many as one of its size may hold that is no heap of brackets. */
export const MANIFEST_VALUES_MAX = 50_000
/** Tests of skills at once in a web process, and of one workspace … */
export const SKILL_TRIALS_AT_ONCE = 16
export const SKILL_TRIALS_OF_TENANT = 4
/** … and when to ask again where there are as many. */
export const SKILL_TRIAL_AGAIN_SECONDS = 2
