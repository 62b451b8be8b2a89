// What Meta's error codes mean for a message: https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes,
// https://developers.facebook.com/docs/messenger-platform/error-codes

/** They cannot be reached: they have no such account, or want nothing from us. */
export const UNREACHABLE: readonly number[] = [131026, 131030, 551]
/** The time in which a reply may be sent is over. */
export const WINDOW_CLOSED: readonly number[] = [131047]
/** With code 10, which without them is about our rights. */
export const WINDOW_CLOSED_SUBCODES: readonly number[] = [2018278, 2534022]
/** Too many requests: of the app, of the account, or to one person. */
export const BUSY: readonly number[] = [4, 17, 32, 613, 80007, 130429, 131056, 131057]
/** The fault is Meta's, and passes. */
export const OVERLOADED: readonly number[] = [1, 2, 131000, 131016]
/** The token or its rights, or the account is restricted. All of 200 to 299 are about rights, too. */
export const CREDENTIALS: readonly number[] = [10, 190, 368, 131031, 131048]

/** Our code of a failure that Meta reports later. */
export function failureCode(code: number | undefined): 'recipient_unreachable' | 'reply_window_closed' | 'rejected' {
  if (code !== undefined && UNREACHABLE.includes(code)) return 'recipient_unreachable'
  return code !== undefined && WINDOW_CLOSED.includes(code) ? 'reply_window_closed' : 'rejected'
}
