// What a contact has spent, as parts of statements. The sum has no bound of its own, and a payment is never refused for it: it is kept as far as its column
// holds, which is a thousand of the largest orders, and shown as far as a number in JSON is exact.
import { type Fragment, part } from '../postgres/sql.ts'

/** What is kept of a sum. @param sum numeric, so that it cannot overflow */
export const keptSum = (sum: Fragment): Fragment => part`least(greatest(${sum}, 0), 9223372036854775807)::bigint`

/** @param t the row of a contact */
export const shownSum = (t: Fragment): Fragment => part`least(${t}.total_spent_amount, 9007199254740991)`
