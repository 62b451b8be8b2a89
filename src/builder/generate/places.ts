// Where things are shown and what they are linked to: "under each product", "for every customer", "on a page".
import type { Resource, View } from '../../apps/manifest/shape.ts'

export type Entity = NonNullable<Resource['relations']>[number]['target']

export interface Places {
  /** What records are linked to. */
  related: Entity[]
  shown: View['target'][]
  /** The words without those about places. */
  rest: string
}

const NOUNS: [string, Entity, View['target'] | undefined][] = [
  ['(?:contact|customer|client|buyer)', 'builtin:contact', 'contact.tabs'],
  ['(?:product|article)', 'builtin:product', 'product.tabs'],
  ['order', 'builtin:order', undefined],
]
const EACH = '(?:each |every |the |a |all |all the |all our |our |their |my )?'

/** @param text is not yet taken apart into fields */
export function placesIn(text: string): Places {
  const related = new Set<Entity>()
  const shown = new Set<View['target']>()
  let rest = text
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
        `${SHOWN} (?:in|as|on|with) an? (?:tab|panel) (?:on|of|under|for|in|at) ${EACH}${noun}s?(?:'s)?(?: (?:page|card))?(?= |,|$)`,
        show,
      )
      take(`^an? (?:tab|panel) (?:on|of|under|for|in) ${EACH}${noun}s?(?= |,|$)`, show)
      take(`${SHOWN} (?:under|beneath|below|beside|next to|on the (?:page|card) of) ${EACH}${noun}s?(?= |,|$)`, show)
      take(
        `,? ?(?:and |which is |that are |which are )?(?:show(?:n)?|list(?:ed)?|display(?:ed)?|visible)(?: them| it)? (?:on|at|for|with|to) ${EACH}${noun}s?(?:'s)?(?: (?:page|card))?(?= |,|$)`,
        show,
      )
      take(` (?:on|in) ${EACH}${noun}(?:'s)? (?:page|card|tab|panel)(?= |,|$)`, show)
    }
    const relate = (): void => void related.add(entity)
    take(
      `,? ?(?:and |which are |that are |each )?(?:linked|connected|attached|tied|related|belonging|belong|belongs|link) (?:to|with) ${EACH}${noun}s?(?= |,|$)`,
      relate,
    )
    take(` (?:for|per) ${EACH}${noun}s?(?= |,|:|$)`, relate)
    take(` of (?:each |every |the |a |our |my )?${noun}s?(?=:| with | that | which |,| ?$)`, relate)
  }
  const page = (): void => void shown.add('dashboard.page')
  take(
    `,? ?(?:and )?(?:show(?:n)?|list(?:ed)?|display(?:ed)?|with|have|having)?(?: them| it| these| all)? ?(?:on|in|as) (?:an? |the |its own |their own |one )?(?:dashboard |own )?(?:page|dashboard|screen|overview)(?: (?:of|in|on) the dashboard)?(?= |,|$)`,
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
      .trim(),
  }
}
