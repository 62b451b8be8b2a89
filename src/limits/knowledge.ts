// Texts that the assistant knows.

/** A text of knowledge, as UTF-8. */
export const KNOWLEDGE_BYTES = 64 * 1024
/** Titles of knowledge in an answer of the agent server: as many of the longest as it has room for. */
export const KNOWLEDGE_LISTED = 100
