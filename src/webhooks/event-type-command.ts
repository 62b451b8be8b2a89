// The catalogue of event types on the command line: all of them, or one with the fields of its data and an example.
import type { Command } from 'commander'
import { jsonOption } from '../cli/options.ts'
import { type Json, showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import type { EventType } from '../events/emit.ts'
import { entry, exampleOf } from '../events/type-route.ts'

/** @param eventTypes all there are */
export function typeCommand(webhook: Command, eventTypes: EventType[]): void {
  webhook
    .command('event-types [name]')
    .description('what can happen; of one type, by its name, the fields of its data and an example')
    .addOption(jsonOption())
    .addHelpText('after', '\nFor example:\n  bin/shopdesk webhook event-types order.created')
    .action((name: string | undefined, { json }: { json?: boolean }) => {
      if (name !== undefined) return json ? console.log(entry(known(eventTypes, name))) : showType(known(eventTypes, name))
      if (json) return console.log(`{"data":[${eventTypes.map(entry)}]}`)
      showRows(
        eventTypes.map(({ name, webhook, summary }) => ({ name, webhooks: webhook ? 'yes' : 'flows only', description: summary })),
        ['name', 'webhooks', 'description'],
      )
    })
}

function known(eventTypes: EventType[], name: string): EventType {
  const type = eventTypes.find(each => each.name === name)
  if (!type) throw new OperatorError(`${JSON.stringify(name)} is no event type; there are ${eventTypes.map(each => each.name).join(', ')}.`)
  return type
}

function showType(type: EventType): void {
  console.log(`${type.name}: ${type.summary}\n`)
  showRows(fieldsOf(type.data as Schema, 'data'), ['field', 'what it is'])
  console.log(`\nAn example\n${JSON.stringify(exampleOf(type), null, 2)}`)
}

interface Schema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
}

// Each field by its path, followed by the fields within it.
function fieldsOf({ properties = {}, items }: Schema, at: string): Json[] {
  if (items) return fieldsOf(items, `${at}[]`)
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = `${at}.${name}`
    return [{ field, 'what it is': [typeOf(schema), schema.description].filter(Boolean).join('. ') }, ...fieldsOf(schema, field)]
  })
}

function typeOf({ type, enum: values, const: only, format, items }: Schema): string {
  if (items) return `array of ${typeOf(items)}`
  if (only !== undefined) return JSON.stringify(only)
  if (values) return values.map(value => (value === null ? 'null' : String(value))).join(' | ')
  return `${[type ?? 'any'].flat().join(' or ')}${format ? ` (${format})` : ''}`
}
