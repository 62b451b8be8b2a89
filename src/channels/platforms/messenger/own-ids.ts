// Ids of our own making, for what the platform gives no id.

/** Several files are several messages, of which the platform names the first. */
export const ofPart = (mid: string, index: number): string => `${mid}:${index}`

/** A pressed button of some kinds is no message at the platform. */
export const ofPress = (thread: string, at: string | null): string => `${PRESS}${thread}:${at}`

const PRESS = 'postback:'
/** What `ofPart` adds: a message has fewer than a hundred files. */
const PART = /:\d{1,2}$/

/** What the platform calls a message that was told under this id; undefined where it has no word for it. */
export const midOf = (external_id: string): string | undefined =>
  external_id.startsWith(PRESS) ? undefined : external_id.replace(PART, '')
