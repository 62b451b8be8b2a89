// Slots of the sliding log (sql/0002_access.sql), for a set of credentials that a statement has found.
import { type Fragment, part } from './sql.ts'

/**
 * Takes a slot for each row of `f`, which has `ring`, `bucket`, `rate_limit`, and its `place` among those that take one, from one on.
 * @param which rows take one
 * @returns rows with `n`, the place, and `remaining`, `reset_ms` and `allowed`
 */
export const slotsTaken = (which: Fragment = part``): Fragment => part`
  rate_take((select array_agg(f.ring order by f.place) from f ${which}),
            (select array_agg(f.bucket order by f.place) from f ${which}),
            (select array_agg(f.rate_limit order by f.place) from f ${which}))`
