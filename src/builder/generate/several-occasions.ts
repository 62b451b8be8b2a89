// Two occasions in one: "cancelled or refunded", "orders to France or Spain are paid".
import type { Description } from './sentences.ts'
import { type Occasion, occasionOf } from './triggers.ts'

/** "cancelled or refunded", "to France or Germany": an occasion for each, or one where a value is one of several. */
export function occasionsOf(words: string, said: Description): Occasion[] {
  const one = occasionOf(words, said)
  if (one?.either) return one.either.map(own => ({ event: one.event, conditions: [...one.conditions, ...structuredClone(own)], left: '' }))
  const [, first = '', last = ''] = /^(.*?\S) or (?:when |if |is |are |gets |has been )?(\S+(?: .*)?)$/i.exec(words) ?? []
  if (first === '' || one?.left === '') return one ? [one] : []
  const before = occasionOf(first, said)
  const begun = /^(.*?)\s\S+$/.exec(first)?.[1] ?? ''
  // "the price or the stock of a product changes", "orders to France or Spain are paid": what stands at the end is of both.
  const whole = (each: Occasion | undefined): each is Occasion => each?.left === ''
  const ends = last
    .split(' ')
    .map((_word, at, all) => all.slice(at).join(' '))
    .slice(1)
  const shared = ends.map(end => occasionOf(`${first} ${end}`, said)).find(whole)
  const own =
    shared && [occasionOf(`${begun} ${last}`, said), occasionOf(last, said)].find(each => whole(each) && each.event === shared.event)
  if (shared && own) return oneOf(shared, own)
  const after = (last.includes(' ') ? occasionOf(last, said) : undefined) ?? occasionOf(`${begun} ${last}`, said)
  if (before?.left !== '' || after?.left !== '') return one ? [one] : []
  return before.event === after.event ? oneOf(before, after) : [before, after]
}

function oneOf(before: Occasion, after: Occasion): Occasion[] {
  const [first, ...others] = before.conditions
  const [second] = after.conditions
  const isOne =
    others.length === 0 && after.conditions.length === 1 && first?.op === 'eq' && second?.op === 'eq' && first.field === second.field
  return isOne ? [{ ...before, conditions: [{ field: first.field, op: 'in', value: [first.value, second.value] }] }] : [before, after]
}
