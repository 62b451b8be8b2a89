// The assistant.

/** Custom instructions of the assistant: the model reads them with every message. */
export const PERSONA_CHARS = 4_000
