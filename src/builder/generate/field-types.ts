// The type of a field, by its name and by the word that is said for it.
import type { Field } from '../../apps/manifest/shape.ts'
import { bare } from './names.ts'

type Type = Field['type']

const NUMBERS =
  /(?:^|_)(?:amount|quantity|count|total|subtotal|balance|rating|score|stars|points|price|cost|fee|weight|height|width|length|depth|age|percent|percentage|rate|duration|stock|discount|hours|minutes|days|weeks|months|years?|distance|capacity|temperature|visits|votes|sum|estimate|limit|seats|guests|budget|mileage|deposit|allowance|threshold|units|pieces|portions|servings|calories|volume|area|grade|revenue|turnover|terms|payment_terms|wattage|voltage|power|speed|calibre|quota|salary|wage|bonus|commission|surcharge|height_cm|value|worth|spent)$/
const DATES =
  /(?:^|_)(?:date|deadline|birthday|time|day|until|timestamp|due|due_back|due_in|due_out|expected|expected_back|due_by|return_by|back_by|expiry|expires|birthdate)$|^(?:date|day|time)_(?:of|when)_|^date_[a-z]+(?:ed|ent|aid|old|ought|ade|iven|due)$|_(?:on|at|since)$|^valid_(?:from|to|till|through)$/
const BOOLEANS =
  /^(?:is|has|was|can|needs|wants|should)_|^(?:done|active|inactive|enabled|disabled|verified|approved|archived|available|subscribed|featured|used|solved|resolved|settled|redeemed|returned|damaged|collected|scanned|vaccinated|insured|paused|fragile|expired|cancelled|completed|finished|confirmed|fulfilled|repaired|cleaned|neutered|published|refundable|reusable|vegan|vegetarian|organic)$|^still_/
/** Words for types, as a person says them. */
const TYPES: [RegExp, Type][] = [
  [/^(?:number|numeric|integer|int|decimal|float)$/, 'number'],
  [/^(?:boolean|bool|flag|checkbox|yes\/no|yes or no|true\/false|true or false|on\/off|on or off|switch)$/, 'boolean'],
  [/^(?:date|time|datetime|date and time|timestamp|day)$/, 'date'],
  [/^(?:text|string|words|free text|line)$/, 'string'],
]

/** What numbers count. */
export const UNITS =
  'degrees|celsius|fahrenheit|seconds|minutes|pieces|units|cups|bottles|boxes|mins|hours|days|weeks|months|years|points|percent|euros?|dollars?|pounds|cents|pence|kg|kilos?|grams?|lbs|stone|ounces|litres|liters|ml|cm|mm|(?:centi|milli)?met(?:er|re)s|kilograms?|inches|feet|miles|km|kilometres|kilometers'

/** "hours worked", "grams per month" */
const COUNTED = new RegExp(`^(?:${UNITS}|stamps)_(?:\\w+ed|left|spent|sold|driven|taken|given)$|^(?:${UNITS})_per_`)

/** @returns the type that a word means */
export const typeOf = (text: string): Type | undefined => TYPES.find(([pattern]) => pattern.test(bare(text).toLowerCase()))?.[1]

/** "price per month" */
const PRICED = /(?:^|_)(?:price|cost|fee|rate|amount|charge)_per_[a-z]+$/

/** @returns the type of a field of which only the name is said */
export function typeByName(name: string): Type {
  if (COUNTED.test(name) || PRICED.test(name)) return 'number'
  return DATES.test(name) ? 'date' : NUMBERS.test(name) ? 'number' : BOOLEANS.test(name) ? 'boolean' : 'string'
}
