// What a person means by "the code from the answer", "our licence key", "the buyer's email": where in a run it is found.
import type { Flow, Step } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { idFor, pathFor } from './event-values.ts'
import { bare, isSame, nameOf } from './names.ts'

/** Whose a thing may be that an event tells of. */
const OWNED =
  /^(?:also |and |together with |along with |plus |as well as |the |their |his |her |its |our |this |that )*(?:new |low |paid )?(?:customer|contact|client|buyer|shopper|person|sender|order|product|item|refund|message|conversation|chat|payment|shipment|parcel|fulfillment|proposal|channel|webhook|assistant|bot|ai)s?'s? (?=\S)/i
/** "the carrier's phone": of nothing that an event tells of. */
export const isForeign = (said: string): boolean => /'s? (?=\S)/.test(said) && !OWNED.test(said)

const ANSWER =
  /^(.*?) (?:from|in|of|out of|inside) (?:the |its |that |this )?(?:answer|response|reply|result|output|call)s?(?: of .{1,40})?(?: \((?:it is |it's |which is )?called ([\w-]+)\))?$/i
const RETURNED =
  /^(.*?) (?:that |which )?(?:it|the (?:service|call|skill|answer|api)) (?:returns?|gives?(?: back)?|answers?(?: with)?|sends? back|returned|gave(?: back)?)$/i

/** The name that a thing goes by: "the customer's email" → email, "the order total" → total. */
export function inputName(text: string): string {
  const plain = text
    .replace(/^(?:also|and|together with|along with|plus|as well as) /i, '')
    .replace(/^(?:the )?(?:customer|contact|client|buyer|order|product|refund|message)s?'s? (?=\S)/i, (owner: string) =>
      /order|refund|product/i.test(owner) ? owner.replace(/'s? $/, ' ') : '',
    )
    .replace(/^(.*?)'s? (?=\S)/, '')
  const [, of = '', owner = ''] =
    /^(?:the )?(.*?) of (?:the |this |that |their )?(customer|contact|client|buyer|order|product|item|refund|message|shipment|parcel)$/i.exec(
      plain,
    ) ?? []
  const said =
    of === ''
      ? plain.replace(/^(.*) of (?:the )?(?:order|customer|contact|product|buyer|client)$/i, '$1')
      : /order|refund/i.test(owner)
        ? `${owner} ${of.replace(/^(?:the )/i, '')}`
        : of
  const name = nameOf(said)
  return name
    .replace(/^(.*_)?e_?mail(?:_address)?$/, '$1email')
    .replace(/^(?:customer|contact|buyer|client)_(?=.)/, '')
    .replace(/^order_(?=total|currency|items|email|e_mail|phone|name|country|city|postal|note|customer|discount|source)/, '')
    .replace(/^product_(?=sku|price|category|name)/, '')
}

/** @returns the path in a run of the flow, without its braces; undefined where nothing is known by that name */
export function pathIn(draft: Draft, flow: Pick<Flow, 'trigger'> & { steps?: Step[] }, text: string): string | undefined {
  const said = bare(text.replaceAll(/[«»]\d*|"/g, ''))
  if (isForeign(said)) return undefined
  const setting = settingNamed(draft, said)
  if (setting !== undefined) return `config.${setting}`
  const [, what = '', called] = ANSWER.exec(said) ?? RETURNED.exec(said) ?? []
  const call = what === '' ? undefined : flow.steps?.findLast(({ type }) => type === 'call_skill')
  if (call) return `steps.${call.id}.output.${called ?? nameOf(what).replace(/^own_/, '')}`
  if (/^(?:id|identifier)$/i.test(said)) return idFor(flow.trigger).path
  for (const name of [inputName(said), nameOf(said), nameOf(said.replace(/^.*?'s? /, ''))]) {
    const path = name === '' ? undefined : pathFor(name, flow.trigger)
    if (path) return path
  }
  return undefined
}

/** A setting that there is, or that is told of later. */
function settingNamed(draft: Draft, said: string): string | undefined {
  const name = said
    .replace(/^(?:(?:setting|secret|value of(?: the)?) )+/i, '')
    .replace(/ (?:setting|secret|from the settings|in the settings)$/i, '')
  const all = [...draft.manifest.config, ...draft.foreseen.config]
  // "our token" is the only one that is one.
  const alike = all.filter(
    ({ key, type }, at) => type === 'secret' && key.endsWith(`_${nameOf(name)}`) && all.findIndex(each => each.key === key) === at,
  )
  return (all.find(({ key }) => isSame(key, name)) ?? (alike.length === 1 ? alike[0] : undefined))?.key
}
