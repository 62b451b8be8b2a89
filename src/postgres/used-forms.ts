// Forms that were sent, by the numbers in their tokens: each is good once, whichever process it comes to. ingress/page/ says what that means to people.
import { FORM_HOURS, PRUNE_BATCH } from '../limits.ts'
import { oldestFirst, type Prune } from './prune.ts'
import type { Queryable } from './sql.ts'

/** @returns whether the form comes for the first time */
export async function claimForm(sql: Queryable, number: string): Promise<boolean> {
  const rows = await sql`insert into used_forms (number) values (${number}) on conflict (number) do nothing returning 1`
  return rows.length > 0
}

/** For a form that was refused: it may be sent again. */
export async function releaseForm(sql: Queryable, number: string): Promise<void> {
  await sql`delete from used_forms where number = ${number}`
}

/** A form that is older is refused by its token. */
export const pruneUsedForms: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from used_forms f
       using (
         select o.number
           from used_forms o
          where o.used_at < now() - make_interval(hours => ${FORM_HOURS + 1})
          order by o.used_at
          limit ${PRUNE_BATCH}
            for update skip locked) old
       where f.number = old.number`
    return count
  })
