import type { Person } from '../../../contacts/person.ts'

/** Whose event it is. */
export interface Of {
  /** The customer, by whom conversations are told apart. */
  thread: string
  from: Person
  /** `operator`: the account itself has done it. */
  by: 'customer' | 'operator'
  at: string | null
}
