// Lists: the length of a page, and the work that it may cost.

/** The query parameter `limit` is 1..100, 50 by default. */
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 50
/** A page ends with the item that brings its items to so many bytes: as many as a body may have. Web holds a page until its client has read it. */
export const PAGE_BYTES = 1024 ** 2
/** Rows that one page of a list may read: 5 to 20 ms of work. See docs/decisions, "A page of a list is bounded work". */
export const LIST_SCAN_MAX = 10_000
/** Rows that a page may read on the connections that all lists share: 1 to 3 ms of work. A page that needs more is a long read. */
export const LIST_GLANCE = 1_000
/** Long reads at once in one web process, on connections of their own: pages by offset or of rare rows, and the health of webhooks. */
export const LONG_READS_AT_ONCE = 4
/** Long reads of a web process that wait for their turn. A tenant has one turn at a time, and its share is no more than a client waits for. */
export const LONG_READS_WAITING = 80
