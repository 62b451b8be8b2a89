// Fields that several resources have.

/** Tags of an order, a contact or another thing, and characters of each. */
export const TAGS_MAX = 50
export const TAG_CHARS = 64

/** An id that a thing has in a system of the caller's. */
export const EXTERNAL_ID_CHARS = 200

/** A language tag's length. RFC 5646 §4.4.1 asks for room for 35 at least; with extensions and private parts there are longer ones. */
export const LANGUAGE_TAG_CHARS = 100

/** Metadata holds at most 50 keys, with values of at most 500 characters. */
export const METADATA_KEYS = 50
export const METADATA_VALUE_CHARS = 500
/** Minor units. With 100 lines of 9 999 pieces an order's total stays an exact JavaScript integer. */
export const AMOUNT_MAX = 9_000_000_000
