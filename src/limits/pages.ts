// Pages of the dashboard, and their forms.
import { DAY_SECONDS } from './clock.ts'

/** A form's body, and its fields: the longest has some forty, and a text of 4 000 characters. */
export const FORM_BODY_BYTES = 64 * 1024
export const FORM_FIELDS_MAX = 200
/** A form that was open for longer is to be opened anew. */
export const FORM_HOURS = 24
/** What a form did, in a cookie: browsers keep 4 KB. */
export const NOTICE_CHARS = 500
/** Files with a hash in their name never change. */
export const ASSET_SECONDS = 365 * DAY_SECONDS
/** For so long browsers ask for this host over https alone. */
export const HSTS_SECONDS = 365 * DAY_SECONDS
