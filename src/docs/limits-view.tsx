// The limits of a JSON Schema in words.
import { type ComponentChild, Fragment, type VNode } from 'preact'
import type { SchemaObject } from './document.ts'

/** Each limit in words. A pattern or an enumeration is shown as code. @param element the schema of an array's items */
export function limitsOf(schema: SchemaObject, element: SchemaObject | undefined): ComponentChild[] {
  const values = schema.enum ?? element?.enum
  const limits = [
    values && (
      <>
        {element && 'each '}one of <Joined by=", ">{values.map(code)}</Joined>
      </>
    ),
    (schema['x-any-case'] ?? element?.['x-any-case']) && 'in any case',
    (schema['x-filled'] ?? element?.['x-filled']) && 'not blank',
    schema.const !== undefined && <>always {code(schema.const)}</>,
    schema.default !== undefined && <>default {code(schema.default)}</>,
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && `a multiple of ${schema.multipleOf}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern !== undefined && (
      <>
        matches <code>{schema.pattern}</code>
      </>
    ),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.uniqueItems && 'no item twice',
    range(schema.minProperties, schema.maxProperties, ' keys'),
    requiredTogether(schema),
    element && requiredTogether(element),
    schema.readOnly && 'set by the service',
    schema.examples?.[0] !== undefined && <>for example {code(schema.examples[0])}</>,
  ]
  return limits.filter(limit => limit !== undefined && limit !== false)
}

// An `anyOf` of nothing but `required`: at least one of the fields must be there.
function requiredTogether({ anyOf = [] }: SchemaObject): VNode | false {
  const names = anyOf.map(part => (typeof part === 'object' && !part.properties ? (part.required ?? []) : []).join(' and '))
  return (
    anyOf.length > 0 &&
    names.every(Boolean) && (
      <>
        needs{' '}
        <Joined by=" or ">
          {names.map(name => (
            <code key={name}>{name}</code>
          ))}
        </Joined>
      </>
    )
  )
}

function range(least: number | undefined, most: number | undefined, unit: string): string | false {
  const named = most === 1 || (most === undefined && least === 1) ? unit.replace(/s$/, '') : unit
  if (least !== undefined && least === most) return `${number(least)}${named}`
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${named}`
  if (least !== undefined && (least > 0 || unit === '')) return `at least ${number(least)}${named}`
  return most !== undefined && `at most ${number(most)}${named}`
}

function Joined({ by, children }: { by: string; children: VNode[] }): VNode {
  return (
    <>
      {children.map((child, index) => (
        <Fragment key={child.key}>
          {index > 0 && by}
          {child}
        </Fragment>
      ))}
    </>
  )
}

// 9 000 000 000 with narrow spaces: digits in groups, in no country's notation.
const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f')

function code(value: unknown): VNode {
  const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '')
  return <code key={text}>{text}</code>
}
