// What other nouns keep about a contact, and that follows it: conversations, orders. The catalog hands them in, so contacts know no noun.
import type { Caller } from '../caller.ts'
import type { Tx } from '../postgres/sql.ts'

export interface Keeper {
  /**
   * Gives what one contact has to another. Its rows are locked before the contacts' are, as by the noun's own verbs.
   * @param most how many rows at most, in this transaction
   * @returns how many there were
   */
  move(tx: Tx, caller: Caller, from: string, to: string, most: number): Promise<number>
  /** Ends what is under way with a contact who is being blocked. Called before the contact's row is locked. */
  block?(tx: Tx, caller: Caller, contact: string): Promise<void>
}

let keepers: Keeper[] = []

/** Every process that changes contacts sets those of the catalog when it starts. */
export function setKeepers(all: Keeper[]): void {
  keepers = all
}

/** @returns whether one of them may have more */
export async function moveAll(tx: Tx, caller: Caller, from: string, to: string, most: number): Promise<boolean> {
  let more = false
  for (const keeper of keepers) more = (await keeper.move(tx, caller, from, to, most)) >= most || more
  return more
}

export async function blockAll(tx: Tx, caller: Caller, contact: string): Promise<void> {
  for (const { block } of keepers) await block?.(tx, caller, contact)
}
