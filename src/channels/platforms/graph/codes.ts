// What Meta's error codes mean for a message, in an answer and in a failure that is reported later:
// https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes,
// https://developers.facebook.com/docs/messenger-platform/error-codes
import type { Refusal } from '../sender.ts'
import { type Json, number } from '../value.ts'

/** By code. A code that is not here says nothing. */
const MEANINGS: [meaning: Refusal, codes: readonly number[]][] = [
  /** They have no such account, or want nothing from us: Meta does not say which. */
  [{ kind: 'failed', code: 'recipient_unreachable', isBlock: true }, [131026, 551]],
  /** The fault is the app's: while it is in development, it may write to those of its list alone. */
  [{ kind: 'failed', code: 'recipient_unreachable' }, [131030]],
  /** The time in which a reply may be sent is over. */
  [{ kind: 'failed', code: 'reply_window_closed' }, [131047]],
  /** Too many requests: of the app, of the account, or to one person. */
  [{ kind: 'held' }, [4, 17, 32, 613, 80007, 130429, 131056, 131057]],
  /** The fault is Meta's, and passes. */
  [{ kind: 'again' }, [1, 2, 131000, 131016]],
  /** The token or its rights, or the account is restricted. */
  [{ kind: 'credentials' }, [190, 368, 131031, 131048]],
]

/** A right is missing: which one, the subcode says. */
const RIGHTS = 10
const WINDOW_CLOSED_SUBCODES: readonly (number | undefined)[] = [2018278, 2534022]
const isOfRights = (code: number): boolean => code === RIGHTS || (code >= 200 && code <= 299)

/** @param error `error` of an answer, or one of the `errors` of a status @returns undefined where it says nothing more than the status does */
export function meaningOf(error: Json): Refusal | undefined {
  const [code, subcode] = [number(error['code']), number(error['error_subcode'])]
  if (code === undefined) return undefined
  if (code === RIGHTS && WINDOW_CLOSED_SUBCODES.includes(subcode)) return { kind: 'failed', code: 'reply_window_closed' }
  if (isOfRights(code)) return { kind: 'credentials' }
  const known = MEANINGS.find(([, codes]) => codes.includes(code))?.[0]
  return known ?? (error['is_transient'] === true ? { kind: 'again' } : undefined)
}

/** A failure that Meta reports later: what would have been tried again in an answer is over here. */
export function failureOf(error: Json): Extract<Refusal, { kind: 'failed' }> {
  const meaning = meaningOf(error)
  return meaning?.kind === 'failed' ? meaning : { kind: 'failed', code: 'rejected' }
}
