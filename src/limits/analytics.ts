// Figures of a workspace.

/** What is counted counts in a quarter hour: the midnight of every time zone begins one. */
export const QUARTER_MS = 15 * 60_000
/** It is kept in hours as well (sql/0053_analytics_hours.sql): of those an answer about a month reads a quarter as many. */
export const HOUR_MS = 4 * QUARTER_MS
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
