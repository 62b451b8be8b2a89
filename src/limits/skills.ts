// Skills: schemas of apps, calls, the budget and the breaker.

/** A schema of an app's: its text, its parts with every reference written out in its place, and the list that may be compared each with each. */
export const APP_SCHEMA_BYTES = 64 * 1024
export const APP_SCHEMA_PARTS = 2_000
export const APP_SCHEMA_UNIQUE_ITEMS = 1_000
/** Its keywords, of parts that are alike once: compiling them takes 40 to 80 µs each, and nothing else is done meanwhile. */
export const APP_SCHEMA_WORDS = 1_200
/** The parts of a schema with `unevaluated…`, whose compiling takes the square of them; and what all schemas of a manifest may have together. */
export const APP_SCHEMA_UNEVALUATED_PARTS = 100
export const APP_SCHEMAS_PARTS = 4_000
export const APP_SCHEMAS_PATTERN_STATES = 40_000
/** A schema of more is compiled when it is judged, however plain: each part beside others is nested in the one before. */
export const APP_SCHEMA_PLAIN_PARTS = 300
/** Steps of holding a value against such a schema, of up to 200 ns: nothing else is done meanwhile. */
export const APP_CHECK_STEPS = 300_000
/** About the memory of what a process keeps of the schemas of apps: what was found in them, … */
export const APP_SCHEMAS_KEPT_BYTES = 4 * 1024 * 1024
/** … the compiled ones, … */
export const APP_VALIDATORS_KEPT_BYTES = 8 * 1024 * 1024
/** … and compiled patterns: all of one schema have room. */
export const APP_PATTERNS_KEPT_BYTES = 3 * 1024 * 1024
/** A compiler keeps what it compiled for as long as it lives, so another takes its place after so much. */
export const APP_COMPILER_BYTES = 2 * 1024 * 1024
/** What each character of a schema takes as it was looked through, and compiled, … */
export const APP_SCHEMA_BYTES_A_CHARACTER = 10
export const APP_VALIDATOR_BYTES_A_CHARACTER = 30
/** … the least that a compiled schema takes, … */
export const APP_VALIDATOR_BYTES = 4 * 1024
/** … and each state of its patterns. */
export const APP_SCHEMA_BYTES_A_STATE = 200
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
/** An answer may have so many bytes … */
export const SKILL_ANSWER_FREE_BYTES = 32 * 1024
/** … and of a longer one its app's place stays taken for as long as the rest takes at this pace: eight places are half a megabyte a second. */
export const SKILL_ANSWER_BYTES_PER_SECOND = 64 * 1024
/** Calls in a row without an answer below 500 after which an app is spared: for 30 s, then twice as long each time, up to 5 min. */
export const SKILL_BREAKER_CALLS = 5
export const SKILL_SPARED_SECONDS = 30
export const SKILL_SPARED_MAX_SECONDS = 300
/** While one call finds out whether the app answers again, when the others may ask. */
export const SKILL_PROBED_SECONDS = 5
/** Outputs of calls are kept whole for a day, for calls that are repeated; after that the log's part of the answer is left. */
export const SKILL_OUTPUT_HOURS = 24

/** Tests of skills at once in a web process, and of one workspace … */
export const SKILL_TRIALS_AT_ONCE = 16
export const SKILL_TRIALS_OF_TENANT = 4
/** … and when to ask again where there are as many. */
export const SKILL_TRIAL_AGAIN_SECONDS = 2
