// OAuth: codes, tokens, grants and clients.
import { DAY_SECONDS } from './clock.ts'

/** An authorization code: the client exchanges it at once. */
export const OAUTH_CODE_SECONDS = 60
/** An access token: what is taken back otherwise than by us is worth something for no longer. */
export const ACCESS_TOKEN_SECONDS = 3_600
/** A refresh token may come again for so long, with the same result: clients race with themselves, and lose answers. */
export const REFRESH_GRACE_SECONDS = 120
/** A grant ends when it was unused for so long, and so does a refresh token. */
export const GRANT_UNUSED_DAYS = 30
/** Grants of a person in a workspace: one more ends the one that was used longest ago. Each has a log of its requests, and lists end at GRANTS_LISTED. */
export const GRANTS_PER_PERSON = 100
/** Grants that a page or a command lists. */
export const GRANTS_LISTED = 1_000
/** Hosts of a client that are named beside it: it may have registered twenty. */
export const GRANT_HOSTS_SHOWN = 3
/** Registered clients that never led to a grant. */
export const CLIENT_UNUSED_DAYS = 7
/** Redirect URIs of a client, and the characters of each; the name that it gives itself. */
export const REDIRECT_URIS_MAX = 20
export const REDIRECT_URI_CHARS = 2_000
export const CLIENT_NAME_CHARS = 200
/** What a client sends of itself, or with a token; and the values in it. */
export const OAUTH_BODY_BYTES = 64 * 1024
export const OAUTH_VALUES_MAX = 1_000
/** A client's own document: how long it may take, and be; how long it is fresh, whatever it says; and serves where it cannot be read again. */
export const DOCUMENT_TIMEOUT_MS = 5_000
export const DOCUMENT_BYTES = 16 * 1024
export const DOCUMENT_FRESH_SECONDS = { least: 300, most: DAY_SECONDS, unsaid: 3_600 }
export const DOCUMENT_SERVES_DAYS = 7
/** Documents that are read for one person. */
export const DOCUMENTS_OF_PERSON = { most: 30, seconds: 60 }
/** Registrations of one address in an hour. */
export const OAUTH_REGISTRATIONS_PER_HOUR = 60

/** Times that a grant gets tokens in a minute: clients refresh once an hour, and some in each of their windows when they wake up. */
export const TOKENS_PER_GRANT_MINUTE = 120
