// How much of what a platform sends is taken. Ids are keys of an index, so they are short.

/** The most characters of a text that is kept; no platform lets people write so much at once. */
export const TEXT_IN_MAX = 65_536
/** The longest id of a platform, in characters: WhatsApp's have some 60, Messenger's 150. */
export const ID_MAX = 500
/** Names and handles are only shown. */
export const NAME_MAX = 300
/** More files than people can send at once: what is beyond is left out. */
export const FILES_IN_MAX = 30
