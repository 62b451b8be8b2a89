// Contacts that the text of a search box matches, and the rows of other lists that are theirs.
import type { Caller } from '../caller.ts'
import type { Filter } from '../postgres/list-page.ts'
import { type Fragment, part } from '../postgres/sql.ts'
import * as lists from './list-store.ts'

/** Contacts that are looked for, as parts of a statement. */
export interface Searched {
  /** Selects their ids. */
  ids: Fragment
  /** Whether the row `c` of contacts is one of them. */
  matches: Fragment
}

/** The contacts that the text of a search box matches. */
export const searched = (caller: Caller, text: string): Searched => ({
  ids: lists.search(caller.tenant, text),
  matches: lists.matches(text, part`c`),
})

/**
 * The filter of a list whose rows have a `contact_id`. A contact's name changes without its rows, so no index holds both: it is looked up for each row,
 * for a join could read all contacts.
 */
export const belongsTo = ({ ids, matches }: Searched): Filter => ({
  kind: 'values',
  where: part`(select ${matches} from contacts c where c.tenant_id = t.tenant_id and c.id = t.contact_id)`,
  values: part`(${ids}) a`,
  each: [part`t.contact_id = a.id`],
  selective: true,
})
