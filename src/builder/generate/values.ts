// What is written into a record: what the words say, and of what they do not say, what the event has by the field's name.
import type { Field, Flow, Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { pathFor } from './event-values.ts'
import { itemsOf } from './items.ts'
import { bare, isSame } from './names.ts'
import { inputName, pathIn } from './paths.ts'

export interface RecordValues {
  values: Record<string, unknown>
  /** Required fields of which nothing is known. */
  missing: string[]
  /** What was not understood. */
  left: string[]
}

/** @param count said before the resource: "10 points" */
export function recordValues(draft: Draft, resource: Resource, about: string, flow: Flow, count?: string): RecordValues {
  const event = flow.trigger
  const values: Record<string, unknown> = {}
  const left: string[] = []
  for (const item of itemsOf(about)) {
    const found = valueIn(draft, resource, bare(item), flow)
    if (found) values[found.name] = found.value
    else left.push(item)
  }
  const counting = resource.fields.find(({ type }) => type === 'number')
  if (count && counting && !Object.hasOwn(values, counting.name)) values[counting.name] = Number(count)
  for (const field of resource.fields) {
    if (Object.hasOwn(values, field.name)) continue
    const value = templateFor(field, pathFor(field.name, event))
    if (value) values[field.name] = value
  }
  const missing = resource.fields.filter(({ name, required }) => required && !Object.hasOwn(values, name)).map(({ name }) => name)
  return { values, missing, left }
}

// "level high", "amount of 10", "reason set to order", "the customer's email", "high level"
export function valueIn(
  draft: Draft,
  { fields }: Pick<Resource, 'fields'>,
  item: string,
  flow: Flow,
): { name: string; value: unknown } | undefined {
  for (const field of fields) {
    const words = patternOf(field)
    const [, said] =
      new RegExp(
        `^(?:the )?${words}(?:\\s*[:=]+\\s*|,?\\s+(?:of|(?:which |that )?(?:is|should be|must be|shall be|will be)|as|set to|being|to|equal to|equals)\\s+|\\s+)(.+)$`,
        'i',
      ).exec(item) ?? []
    const value =
      said === undefined
        ? undefined
        : (ofSameName(draft, field, said, flow) ??
          fromAnswer(draft, field, item, flow) ??
          (OF_EVENT.test(said) ? fromRun(draft, field, item, flow) : undefined) ??
          typedValue(draft, field, said) ??
          fromRun(draft, field, said, flow) ??
          fromRun(draft, field, item, flow))
    if (value !== undefined) return { name: field.name, value }
  }
  for (const field of fields) {
    const [, before] = new RegExp(`^(.+?)\\s+(?:as |in |into |for )?(?:the |its )?${patternOf(field)}$`, 'i').exec(item) ?? []
    const value =
      before === undefined
        ? undefined
        : (fromRun(draft, field, item, flow) ?? typedValue(draft, field, before) ?? fromRun(draft, field, before, flow))
    if (value !== undefined) return { name: field.name, value }
  }
  const own = fields.find(({ name }) => isSame(name, item.replace(/^.*?'s? /, '')) || isSame(name, inputName(item)))
  const value = own && fromRun(draft, own, item, flow)
  return own && value !== undefined ? { name: own.name, value } : undefined
}

/** "the reason of the refund": of what it is, and no value. */
const OF_EVENT =
  /^(?:the|this|that|its) (?:order|refund|payment|message|event|cancell?ation|dispute|shipment|parcel|customer|contact|product)$/i

/** "the reason from the order": what the event has by the field's own name. */
const ofSameName = (draft: Draft, field: Field, said: string, flow: Flow): string | undefined =>
  /^(?:taken |copied )?(?:from|of) (?:the |its |this |that )?(?:order|event|message|product|customer|contact|refund|payment)$/i.test(said)
    ? fromRun(draft, field, field.name.replaceAll('_', ' '), flow)
    : undefined

/** "the code from the answer": what a skill said before. */
function fromAnswer(draft: Draft, field: Field, item: string, flow: Flow): string | undefined {
  const found = fromRun(draft, field, item, flow)
  return found?.startsWith('{{steps.') ? found : undefined
}

/** The field's name as it is said: `checked_by`, `checkedBy` and "checked by". */
const patternOf = ({ name }: Field): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').replaceAll(/[_-]/g, '[ _-]?')

const SOURCE =
  /^(?:from|taken from|out of|copied from|as in) |\b(?: as)?(?: it is| it's)? (?:from|of|in) the (?:order|event|message|product|customer|contact|refund)$/i

function fromRun(draft: Draft, field: Field, said: string, flow: Flow): string | undefined {
  return templateFor(field, pathIn(draft, flow, said) ?? pathIn(draft, flow, said.replace(SOURCE, '')))
}

/** A template alone keeps the type of what it leads to; beside a sign it is a text. */
function templateFor(field: Field, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  if (field.type === 'string' && /\.order\.number$/.test(path)) return `#{{${path}}}`
  return fits(field, path) ? `{{${path}}}` : undefined
}

function typedValue(draft: Draft, { type, enumValues = [] }: Field, said: string): unknown {
  const text = said.startsWith('«') ? draft.said.quote(said) : bare(said)
  switch (type) {
    case 'enum':
      return enumValues.find(each => each.toLowerCase() === text.toLowerCase())
    case 'number':
      return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined
    case 'boolean':
      return /^(?:true|yes|on)$/i.test(text) ? true : /^(?:false|no|off)$/i.test(text) ? false : undefined
    case 'date':
      return /^(?:now|today|the (?:current )?(?:time|date|day|moment)|today's date|the day of the \w+)$/i.test(said.trim())
        ? '{{trigger.created_at}}'
        : undefined
    case 'string':
      return said.startsWith('«') || !(/\b(?:customer|order|product|message|event)\b/i.test(said) || OF_EVENT.test(said))
        ? text.replaceAll('{{', '{ {').slice(0, 1_000)
        : undefined
  }
}

/** What an event has as numbers. */
export const NUMERIC = /(?:amount|(?<!waybill_)number|available)$/
const TIMES = /_at$/

/** Whether what the path leads to is of the field's type. */
function fits({ type }: Field, path: string): boolean {
  if (type === 'number') return NUMERIC.test(path) || /^(?:steps|config)\./.test(path)
  if (type === 'date') return TIMES.test(path)
  if (/^(?:steps|config)\./.test(path)) return true
  return type === 'string' && !NUMERIC.test(path) && !/items$/.test(path)
}
