// The amounts of an order: integers in minor units, added up by the server alone.
import { invalid } from '../problems.ts'
import type { Item } from './schema.ts'

export interface Totals {
  subtotal_amount: number
  discount_amount: number
  shipping_amount: number
  tax_amount: number
  total_amount: number
}

/** A line's own total. @throws {Problem} 422 when its discount exceeds it */
export function lineTotal(field: string, quantity: number, unitAmount: number, discount: number): number {
  const total = quantity * unitAmount - discount
  if (total < 0) throw invalid({ field: `${field}.discount_amount`, code: 'out_of_range', message: 'exceeds the line.' })
  return total
}

/** @throws {Problem} 422 when the discount exceeds the lines, or the total exceeds an exact integer */
export function totals(items: Item[], discount: number, shipping: number): Totals {
  const subtotal = items.reduce((sum, item) => sum + item.total_amount, 0)
  if (discount > subtotal)
    throw invalid({ field: 'discount_amount', code: 'out_of_range', message: `exceeds the lines' sum of ${subtotal}.` })
  const total = subtotal - discount + shipping
  if (!Number.isSafeInteger(total))
    throw invalid({ field: 'items', code: 'out_of_range', message: 'add up to more than an exact amount can hold.' })
  return { subtotal_amount: subtotal, discount_amount: discount, shipping_amount: shipping, tax_amount: 0, total_amount: total }
}
