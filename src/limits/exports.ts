// Exports and downloads.

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
