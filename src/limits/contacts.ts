// Contacts, and what a merge of two moves.

/** Conversations, and orders, that a merge of two contacts moves in one transaction: some 50 ms of work. */
export const MERGED_AT_ONCE = 1_000
/** Channels that a contact shows, the first ones: a person has a handful, and what is merged may bring many. */
export const CONTACT_CHANNELS_SHOWN = 50
