// The web chat, and its guests.

/** Messages of one visitor of a web chat in a minute, and files in a time: people do not write faster. */
export const CHAT_MESSAGES_A_MINUTE = 20
export const CHAT_FILES = 5
export const CHAT_FILES_SECONDS = 600
/** Files of all visitors at one address in a day: a stranger gets as many visitors as they ask for. */
export const CHAT_FILES_OF_ADDRESS = 100
/** The most bytes of a visitor's file. */
export const CHAT_FILE_BYTES = 10 * 1024 ** 2
/** Files of visitors on their way in, in one web process. */
export const CHAT_FILES_AT_ONCE = 32
/** When an answer that a visitor has not seen is mailed; how many such mails a day and conversation; and how much of the answers a mail shows. */
export const CHAT_MAIL_AFTER_SECONDS = 300
export const CHAT_MAILS_A_DAY = 3
/** … and to one address in a workspace, of however many visitors who have typed it. */
export const CHAT_MAILS_TO_ADDRESS = 10
/** … and in all to addresses that visitors have typed, of one workspace: more than a busy shop's visitors leave, and too few to harm its name. */
export const CHAT_MAILS_OF_WORKSPACE = 1_000
export const CHAT_MAIL_MESSAGES = 10
export const CHAT_MAIL_CHARS = 2_000
/** Live streams of one visitor, such as of several tabs: one more ends the oldest. */
export const CHAT_STREAMS_OF_VISITOR = 3
/** How often a visitor's typing is told, and how long it is shown. */
export const CHAT_TYPING_A_MINUTE = 30
export const CHAT_TYPING_MS = 6_000
/** Messages of a page of a talk. */
export const CHAT_PAGE = 50
/** How long the link in a mail goes on with a talk; and how long it can still end such mails. */
export const CHAT_LINK_DAYS = 7
export const CHAT_MAILS_DAYS = 90
/** JSON of a guest: a message, an identity. */
export const GUEST_BODY_BYTES = 64 * 1024
/** How long a browser relies on the answer to its question whether it may ask. */
export const GUEST_PREFLIGHT_SECONDS = 600

/** design: what a visitor of web chat writes at once, as what a reply holds */
export const CHAT_TEXT_CHARS = 4096
/** The most of the chat's script over the wire, compressed by gzip: a page of a shop loads it beside all it has already. */
export const CHAT_SCRIPT_BYTES = 15 * 1024
/** How long browsers keep the script without asking: after an update all pages have the new one within five minutes. */
export const CHAT_SCRIPT_SECONDS = 300
