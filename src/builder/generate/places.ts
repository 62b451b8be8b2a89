// Where things are shown and what they are linked to: "under each product", "for every customer", "on a page".
import type { Resource, View } from '../../apps/manifest/shape.ts'
import { remembered } from './remembered.ts'

export type Entity = NonNullable<Resource['relations']>[number]['target']

export interface Places {
  /** What records are linked to. */
  related: Entity[]
  shown: View['target'][]
  /** The words without those about places. */
  rest: string
}

const NOUNS: [string, Entity, View['target'] | undefined][] = [
  ['(?:contact|customer|client|buyer|shopper)', 'builtin:contact', 'contact.tabs'],
  ['(?:product|article)', 'builtin:product', 'product.tabs'],
  ['order', 'builtin:order', undefined],
]
const EACH =
  '(?:(?:each|every one|any|all) of (?:our|the|my|these) |each |every |the |an? |any |all |all the |all our |our |their |my |its |his |her |that |this )?(?:respective )?'
const CARD = '(?:page|card|tab|panel|profile|view|screen|file|detail page|details)'

const THING = `${EACH}(?:contact|customer|client|buyer|shopper|product|article|order)s?`
const LINKED = new RegExp(
  ` (linked|connected|attached|tied|related|belonging|belongs?|link) (to|with) (${THING}(?:(?:,? and|,) (?:(?:to|with) )?${THING})+)(?= |,|$)`,
  'gi',
)

/** @param text is not yet taken apart into fields */
export const placesIn = remembered((text: string): Readonly<Places> => {
  const related = new Set<Entity>()
  const shown = new Set<View['target']>()
  // "linked to the customer and the order": to each of them.
  let rest = text.replaceAll(LINKED, (_all, link: string, by: string, ends: string) =>
    ends
      .split(/,? and |, /)
      .map(end => ` ${link} ${by} ${end.replace(/^(?:to|with) /i, '')}`)
      .join(','),
  )
  const take = (pattern: string, found: () => void): void => {
    const next = rest.replace(new RegExp(pattern, 'gi'), ' ')
    if (next === rest) return
    rest = next
    found()
  }
  for (const [noun, entity, target] of NOUNS) {
    if (target) {
      const show = (): void => void shown.add(target)
      const SHOWN =
        '(?:,? ?(?:and |which is |that are |which are )?(?:show(?:n|ing|s)?|list(?:ed|s)?|display(?:ed|s)?|visible)(?: them| it| these| those)?)?'
      take(
        `${SHOWN} (?:in|as|on|with) (?:an? |the |its own |their own )?(?:new |own |separate )?(?:tab|panel) (?:on|of|under|for|in|at|with|next to|beside|inside) ${EACH}${noun}s?(?:'s)?(?: ${CARD})?(?= |,|$)`,
        show,
      )
      take(`, (?:and )?(?:with )?(?:an? |the )?(?:tab|panel) (?:on|of|under|for|in|at) ${EACH}${noun}s?(?= |,|$)`, show)
      take(`^ ?(?:with )?(?:an? |the )?(?:tab|panel) (?:on|of|under|for|in|at) ${EACH}${noun}s?(?= |,|$)`, show)
      take(`${SHOWN} (?:under|beneath|below|beside|next to|on the (?:page|card) of) ${EACH}${noun}s?(?= |,|:|$)`, show)
      take(
        `,? ?(?:and |which is |that are |which are )?(?:show(?:n)?|listed|(?:(?<=(?:^|,|and|to|please|also|must|should|can) ?)|(?=list (?:them|it|these) ))list|display(?:ed)?|visible|seen|appear|put|see)(?: them| it| this| these)? (?:on|at|for|with|to|in|next to) ${EACH}${noun}(?:s(?!'))?(?:'s|s')?(?: ${CARD})?(?= |,|$)`,
        show,
      )
      take(` (?:on|in|at|inside) ${EACH}${noun}(?:'s|s')? ${CARD}(?= |,|$)`, show)
      take(` in (?:an? )?${noun} tab(?= |,|$)`, show)
    }
    const relate = (): void => void related.add(entity)
    take(
      `,? ?(?:and |which are |that are |which |that |each )?(?:(?:is|are|should be|must be|be) )?(?:(?:linked|connected|attached|tied|related|belonging|belong|belongs|link) (?:to|with)|(?:go|goes|going|come|comes|coming) with|(?:hang|hangs|hanging) (?:on|off)) ${EACH}${noun}s?(?= |,|$)`,
      relate,
    )
    take(
      `,? (?:(?:that|which) )?(?:(?:is|are|was|were|be|has been|have been) )?(?:given|made|written|left|brought|placed|signed|filed|reported|submitted|requested|booked|bought|owned|borrowed|rented|hired) (?:in |out |down )?by ${EACH}${noun}s?(?= |,|:|$)`,
      relate,
    )
    take(` (?:for|per|about|against) ${EACH}${noun}s?(?= |,|:|$)`, relate)
    take(
      ` of (?:(?:each|every one|all|any) of (?:our|the|my) |each |every |the |a |our |my )?${noun}s?(?=:| with | that | which |,| ?$)`,
      relate,
    )
  }
  take(
    ',? ?(?:and )?(?:(?:show|list|display|put) (?:them|it) |(?:(?:should|must|can|also) )*(?:appears?|shows? up|be (?:shown|listed|visible|displayed)) (?:in|as|on) (?=an? tab )|(?:with )?(?:an? |in an? )?(?:tab|visible|shown|displayed|also visible) )(?:(?:in )?an? tab )?there(?= |,|$)',
    () => {
      for (const [, entity, target] of NOUNS) if (target && related.has(entity)) shown.add(target)
    },
  )
  const page = (): void => void shown.add('dashboard.page')
  take(
    `,? ?(?:and )?(?:show(?:n)?|list(?:ed)?|display(?:ed)?|with|have|having|(?:should |must |can |also )*(?:appear|be (?:also )?(?:shown|listed|visible|displayed|seen)|show up))?(?: them| it| these| all)? ?(?:on|in|as) (?:an? |the |its own |their own |one )?(?:dashboard |own )?(?:pages?|dashboard|screen|overview)(?: (?:of|in|on) the dashboard)?(?= |,|$)`,
    page,
  )
  take(
    ' (?:an? |the )?(?:dashboard |new |separate |own )*page (?:showing|listing|that shows|that lists|of|for)(?: all| the| our)*(?= )',
    page,
  )
  take(`,? (?:and |with )an? (?:dashboard )?page(?: (?:of|in|on) the dashboard| for them| that lists them)?(?= |,|$)`, page)
  // "Dashboard page", of what was told before.
  take(
    `^ *(?:(?:and|also|then|please|add|create|make|give (?:it|them)|with) )*(?:an? |the |its |their )?(?:new |separate |own )*dashboard (?:page|screen|overview) *$`,
    page,
  )
  return {
    related: [...related],
    shown: [...shown],
    rest: rest
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\s+([,:])/g, '$1')
      .replace(/^[\s,]+/, '')
      .trim(),
  }
})
