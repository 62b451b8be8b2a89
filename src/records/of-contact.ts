// The records of a contact follow it: see contacts/keepers.ts.
import type { Keeper } from '../contacts/keepers.ts'
import * as store from './of-contact-store.ts'

export const keeper: Keeper = {
  move: async (tx, { tenant }, from, to, most) => (await tx`${store.give(tenant, from, to, most)}`).length,
}
