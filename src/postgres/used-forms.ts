// Forms that were sent, by the numbers in their tokens: each is good once, whichever process it comes to. ingress/page/ says what that means to people.
import { FORM_HOURS } from '../limits/pages.ts'
import { pruneExpired } from './prune.ts'
import { part, type Queryable } from './sql.ts'

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
export const pruneUsedForms = pruneExpired({
  table: 'used_forms',
  key: ['number'],
  by: 'used_at',
  expired: part`o.used_at < now() - make_interval(hours => ${FORM_HOURS + 1})`,
})
