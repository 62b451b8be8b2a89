// What is written into a record: what the words say, and of what they do not say, what the event has by the field's name.
import type { Field, Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { pathFor } from './event-values.ts'
import { itemsOf } from './fields.ts'
import { bare, isSame, nameOf } from './names.ts'

export interface RecordValues {
  values: Record<string, unknown>
  /** Required fields of which nothing is known. */
  missing: string[]
  /** What was not understood. */
  left: string[]
}

/** @param count said before the resource: "10 points" */
export function recordValues(draft: Draft, resource: Resource, about: string, event: string, count?: string): RecordValues {
  const values: Record<string, unknown> = {}
  const left: string[] = []
  for (const item of itemsOf(about)) {
    const found = valueIn(draft, resource, bare(item), event)
    if (found) values[found.name] = found.value
    else left.push(item)
  }
  const counting = resource.fields.find(({ type }) => type === 'number')
  if (count && counting && !Object.hasOwn(values, counting.name)) values[counting.name] = Number(count)
  for (const field of resource.fields) {
    if (Object.hasOwn(values, field.name)) continue
    const path = pathFor(field.name, event)
    if (path && fits(field, path)) values[field.name] = `{{${path}}}`
  }
  const missing = resource.fields.filter(({ name, required }) => required && !Object.hasOwn(values, name)).map(({ name }) => name)
  return { values, missing, left }
}

// "level high", "amount of 10", "reason set to order", "the customer's email", "high level"
function valueIn(draft: Draft, { fields }: Resource, item: string, event: string): { name: string; value: unknown } | undefined {
  for (const field of fields) {
    const words = field.name.replaceAll('_', '[ _]')
    const [, said] = new RegExp(`^${words}(?:\\s*[:=]|\\s+of|\\s+(?:is|as|set to|being|to))?\\s+(.+)$`, 'i').exec(item) ?? []
    const value = said === undefined ? undefined : (typedValue(draft, field, said) ?? fromEvent(field, said, event))
    if (value !== undefined) return { name: field.name, value }
  }
  for (const field of fields) {
    const [, before] = new RegExp(`^(.+?)\\s+(?:as )?(?:the )?${field.name.replaceAll('_', '[ _]')}$`, 'i').exec(item) ?? []
    const value = before === undefined ? undefined : (typedValue(draft, field, before) ?? fromEvent(field, before, event))
    if (value !== undefined) return { name: field.name, value }
  }
  const own = fields.find(({ name }) => isSame(name, item.replace(/^.*?'s? /, '')))
  const value = own && fromEvent(own, item, event)
  return own && value !== undefined ? { name: own.name, value } : undefined
}

function fromEvent(field: Field, said: string, event: string): string | undefined {
  const path = pathFor(nameOf(said.replace(/^.*?'s? /, '')), event) ?? pathFor(nameOf(said), event)
  return path && fits(field, path) ? `{{${path}}}` : undefined
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
      return /^(?:now|today|the time|the moment)$/i.test(said.trim()) ? '{{trigger.created_at}}' : undefined
    case 'string':
      return said.startsWith('«') || !/\b(?:customer|order|product|message|event)\b/i.test(said)
        ? text.replaceAll('{{', '{ {').slice(0, 1_000)
        : undefined
  }
}

const NUMERIC = /(?:amount|number|available)$/
const TIMES = /_at$/

/** Whether what the path leads to is of the field's type. */
function fits({ type }: Field, path: string): boolean {
  if (type === 'number') return NUMERIC.test(path)
  if (type === 'date') return TIMES.test(path)
  return type === 'string' && !NUMERIC.test(path) && !/items$/.test(path)
}
