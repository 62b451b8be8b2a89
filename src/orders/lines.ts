// The lines of a new order: the catalogue's or free, each with its price.
import { newId } from '../ids.ts'
import { invalid } from '../problems.ts'
import type { Sellable } from '../products/stock.ts'
import type { Item, NewItem } from './schema.ts'
import { lineTotal } from './total.ts'

/** The lines that name a product, each with the field that names the line in a refusal. */
export const fromCatalogue = (lines: NewItem[]) =>
  lines
    .map((line, index) => ({ ...line, field: `items[${index}]` }))
    .filter(line => line.product_id !== undefined || line.sku !== undefined)

/**
 * @param sellables what the catalogue's lines sell, by the lines' fields
 * @throws {Problem} 422 for another currency than the order's, or a discount beyond its line
 */
export function priced(lines: NewItem[], sellables: Map<string, Sellable>, currency: string): Item[] {
  return lines.map((line, index) => {
    const field = `items[${index}]`
    const sellable = sellables.get(field)
    if (sellable && sellable.currency !== currency)
      throw invalid({
        field: `${field}.${line.product_id === undefined ? 'sku' : 'product_id'}`,
        code: 'currency_mismatch',
        message: `is priced in ${sellable.currency}, the order in ${currency}.`,
      })
    const unit = sellable ? sellable.price_amount : (line.unit_amount as number)
    const discount = line.discount_amount ?? 0
    return {
      id: newId('itm'),
      product_id: sellable?.product_id ?? null,
      variant_id: sellable?.variant_id ?? null,
      sku: sellable?.sku ?? null,
      name: sellable?.name ?? (line.name as string),
      quantity: line.quantity,
      unit_amount: unit,
      discount_amount: discount,
      total_amount: lineTotal(field, line.quantity, unit, discount),
      metadata: line.metadata ?? {},
    }
  })
}

/** A line is either the catalogue's, which sets its price, or free. @throws {Problem} 422 for a line that is both */
export function refuseMixed(lines: NewItem[]): void {
  for (const [index, line] of lines.entries()) {
    const field = `items[${index}]`
    const named = line.product_id !== undefined || line.sku !== undefined
    const stray = named
      ? (['name', 'unit_amount'] as const).find(name => line[name] !== undefined)
      : line.variant_id !== undefined
        ? 'variant_id'
        : undefined
    if (stray)
      throw invalid({
        field: `${field}.${stray}`,
        code: 'not_combinable',
        message: named ? 'comes from the catalogue on a line with product_id or sku.' : 'needs product_id or sku.',
      })
    if (line.product_id !== undefined && line.sku !== undefined)
      throw invalid({ field: `${field}.sku`, code: 'not_combinable', message: 'cannot be given together with product_id.' })
  }
}
