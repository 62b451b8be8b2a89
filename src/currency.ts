// How many digits of an amount stand behind the point: the minor unit of ISO 4217, in which shops and payment providers count. `Intl` has those of CLDR
// instead, which leaves out the hundredths that cash does not have (HUF, COP, IDR, …): there 4900 would be a hundred times too much.

const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'
const FOUR = 'CLF UYW'
const DIGITS = new Map([NONE, THREE, FOUR].flatMap((codes, index) => codes.split(' ').map(code => [code, [0, 3, 4][index] as number])))

/** @param currency ISO 4217 */
export const minorDigits = (currency: string): number => DIGITS.get(currency) ?? 2
