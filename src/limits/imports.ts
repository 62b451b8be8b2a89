// Imports.

/** The most bytes of an import's file. */
export const IMPORT_BODY_BYTES = 2 * 1024 ** 3

/** Columns of an imported CSV, and the length of a column's name: all columns have room, up to `items[99].metadata.…`. */
export const CSV_COLUMNS_MAX = 2_000
export const CSV_COLUMN_CHARS = 200
/** Unfinished imports of one tenant: each may take 2 GB of the database's disk until it ends. */
export const IMPORTS_OF_TENANT = 10
/** Clients that follow imports at once in one web process: each costs two statements a second. */
export const FOLLOWERS_AT_ONCE = 100
/** Imports applied at once in one worker process: each uses a whole core, so more would only slow down other work. */
export const IMPORTS_AT_ONCE = 2
