// The app builder: the sandbox, and descriptions of apps.

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
/** Scripts of one workspace that wait, while one runs. */
export const SANDBOX_WAITING_OF_TENANT = 2
/** A thread is kept ready for so long after a script, for the next one. */
export const SANDBOX_SPARE_MS = 60_000
/** A thread that is not ready by then never will be. */
export const SANDBOX_START_MS = 10_000

/** What an app is described in, and the longest sentence of it that is read. */
export const DESCRIPTION_CHARS = 8_000
export const DESCRIPTION_SENTENCE_CHARS = 1_000
/** Drafts of manifests that wait in a web process for their turn. A workspace has its share. */
export const DRAFTS_WAITING = 64
/** The values in a body with a manifest: as many as one of its size may hold that is no heap of brackets. */
export const MANIFEST_VALUES_MAX = 50_000
