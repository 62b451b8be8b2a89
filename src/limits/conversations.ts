// Conversations and their messages.

/** Conversations on a page by default, and messages in the detail of one: lists have none, so their number is bounded there. */
export const CONVERSATIONS_PAGE_DEFAULT = 20
export const CONVERSATION_MESSAGES = 50
/** The part of a conversation's last message that a list shows. */
export const MESSAGE_PREVIEW_CHARS = 200
/** How long a receipt, an edit or a reaction waits for the message that it speaks of. */
export const MESSAGE_AWAITED_MS = 60_000
/** How long an echo waits for the record of our own request that says the same: longer than a platform may take to answer. Then it is a human's. */
export const ECHO_AWAITED_MS = 25_000
/** A platform is told of typing at most so often. */
export const TYPING_EVERY_SECONDS = 5
/** Messages of a conversation that one echo or one watermark is compared with: the oldest under way, the newest that were sent. */
export const MESSAGES_COMPARED = 200
/** The longest text of a message; a channel may take less. */
export const TEXT_CHARS = 4_096
/** An identical message of a human is refused for so long. */
export const DUPLICATE_MS = 60_000
/** Choices that a message offers, and characters of each: what the buttons of every platform take. */
export const CHOICES_MAX = 3
export const CHOICE_TITLE_CHARS = 20
/** Messages of a channel that are counted as queued or unknown: a page shows a hundred channels. */
export const UNSETTLED_COUNTED_MAX = 10_000
