// The agent server.

/** The version of MCP that the interface names. */
export const MCP_VERSION = '2025-03-26'
/** Messages of one JSON-RPC batch: with ten times as many a caller could hold the process for a second. */
export const MCP_BATCH_MAX = 50
/** Faults of a call that are told: a model mends it by the first few. */
export const MCP_ERRORS_MAX = 20
/** Reads of a batch at once: they share the process's few connections with all other requests. Reads that share one statement do not count. */
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
/** Clients of the agent server hand all descriptions to the model with every request. */
export const MCP_DESCRIPTION_CHARS = 700
export const MCP_INSTRUCTIONS_CHARS = 1_500
