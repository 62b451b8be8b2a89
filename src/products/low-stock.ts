// What is available falls to the threshold or below it: told once each time, by whatever makes it fall.
import type { Caller } from '../caller.ts'
import type { EventDraft } from '../events/emit.ts'
import { LOW_STOCK } from '../limits/products.ts'
import { rendered, type State } from './draft.ts'
import { ProductLowStock } from './events.ts'

/** Whether a fall of what is available crosses the threshold. */
export const falls = (before: number, after: number): boolean => before > LOW_STOCK && after <= LOW_STOCK

/** The event. @param product as it is after the fall @param variant the variant’s id; null where the product is sold without variants */
export const lowStock = (caller: Caller, product: State, variant: string | null, available: number): EventDraft => ({
  caller,
  type: ProductLowStock,
  text: `{"product_id":"${product.product.id}","product":${rendered(product)},"variant_id":${JSON.stringify(variant)},"available":${available}}`,
})

/** The events of a change by a person or an import: of the product, or of each variant that was there before. */
export function fallenBy(caller: Caller, before: State, after: State): EventDraft[] {
  if (after.variants.length > 0)
    return after.variants.flatMap(variant => {
      const was = before.variants.find(({ id }) => id === variant.id)
      return was ? fallen(caller, after, variant.id, was, variant) : []
    })
  return before.variants.length > 0 ? [] : fallen(caller, after, null, before, after)
}

type Held = Pick<State, 'stock' | 'reserved'>

function fallen(caller: Caller, product: State, variant: string | null, before: Held, after: Held): EventDraft[] {
  // Stock that was not tracked has not fallen.
  if (before.stock === null || after.stock === null) return []
  const available = after.stock - after.reserved
  return falls(before.stock - before.reserved, available) ? [lowStock(caller, product, variant, available)] : []
}
