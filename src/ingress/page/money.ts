// Amounts as people read them.
import { minorDigits } from '../../currency.ts'

/** In one piece: a line never ends between currency and amount. @param amount in minor units of the currency, of which some have none @param currency ISO 4217 */
export function money(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(amount / 10 ** digits)
}
