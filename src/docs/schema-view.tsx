// A JSON Schema as a person reads it: a list of fields with type, limits and meaning, nested where it nests.
import { type ComponentChild, createElement, Fragment, type VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { anchorId, componentName, type OpenApi, type Schema } from './document.ts'
import { limitsOf } from './limits-view.tsx'
import { descriptionOf, type Field, mapValue, objectFields, plain, typeName, withoutNull } from './plain-schema.ts'
import { prose } from './prose.tsx'

/** How a named schema is shown within another: as a link to its own section, or with all its fields. */
export type Named = 'linked' | 'expanded'

/** The fields of an object, the items of an array, the alternatives of a choice; undefined for a schema without any. `seen` ends recursion. */
export function schemaView(document: OpenApi, schema: Schema, named: Named, seen: readonly string[] = []): VNode | undefined {
  const name = componentName('schemas', withoutNull(schema))
  if (name && (seen.includes(name) || (named === 'linked' && seen.length > 0))) return undefined
  const inside = [...seen, name ?? '']
  const body = plain(document, schema)
  if (body.items !== undefined) return schemaView(document, body.items, named, inside)
  const fields = objectFields(body)
  const alternatives = choice(document, body.anyOf ?? [], named, inside)
  if (fields.length === 0) return alternatives
  return (
    <>
      <FieldList document={document} fields={fields} named={named} seen={inside} />
      {alternatives}
    </>
  )
}

interface Shown {
  document: OpenApi
  named: Named
  seen?: readonly string[]
}

/** Fields one below the other. */
export function FieldList({ fields, ...shown }: Shown & { fields: Field[] }): VNode {
  return (
    <ul class="fields">
      {fields.map(field => (
        <FieldItem key={field.name} field={field} {...shown} />
      ))}
    </ul>
  )
}

/** The type in words, e.g. `string (date-time) or null`, `array of Order`, with links to named schemas. */
export function typeLabel(document: OpenApi, schema: Schema): ComponentChild {
  const name = componentName('schemas', schema)
  if (name) return <a href={`#schema-${anchorId(name)}`}>{name}</a>
  // Alternatives beside a type only refine it, e.g. by saying which fields go together.
  const alternatives = (typeof schema === 'object' && !schema.type && (schema.anyOf ?? schema.oneOf)) || []
  if (alternatives.length > 0) return alternativesLabel(alternatives.map(part => typeLabel(document, part)))
  const body = plain(document, schema)
  if (body.items !== undefined) return <>array of {typeLabel(document, body.items)}</>
  const value = body.properties ? undefined : mapValue(body)
  return value === undefined ? typeName(body) : <>map of {typeLabel(document, value)}</>
}

// Two objects that differ only in their fields get the same label, shown once.
function alternativesLabel(labels: ComponentChild[]): VNode {
  const distinct = new Map(labels.map(label => [render(createElement(Fragment, {}, label)), label]))
  return (
    <>
      {[...distinct].map(([text, label], index) => (
        <Fragment key={text}>
          {index > 0 && ' or '}
          {label}
        </Fragment>
      ))}
    </>
  )
}

function FieldItem({ document, field, named, seen = [''] }: Shown & { field: Field }): VNode {
  const body = plain(document, field.schema)
  const element = body.items === undefined ? undefined : plain(document, body.items)
  const limits = limitsOf(body, element)
  const below = schemaView(document, field.schema, named, seen)
  return (
    <li>
      <div class="field">
        <code class="name">{field.name}</code> <span class="type">{typeLabel(document, field.schema)}</span>
        {field.required && <Mark word="required" />}
        {(field.deprecated || body.deprecated) && <Mark word="deprecated" />}
      </div>
      {prose(field.description ?? descriptionOf(field.schema) ?? body.description ?? element?.description)}
      {limits.length > 0 && (
        <ul class="limits">
          {limits.map((limit, index) => (
            <li key={index}>{limit}</li>
          ))}
        </ul>
      )}
      {below && (
        <details>
          <summary>
            Fields of <code>{field.name}</code>
          </summary>
          {below}
        </details>
      )}
    </li>
  )
}

/** A word that a name is marked with. */
export const Mark = ({ word }: { word: 'required' | 'deprecated' }): VNode => (
  <>
    {' '}
    <span class={word}>{word}</span>
  </>
)

function choice(document: OpenApi, alternatives: Schema[], named: Named, seen: readonly string[]): VNode | undefined {
  const parts = alternatives.map(part => ({ part, below: schemaView(document, part, named, seen) }))
  if (parts.every(({ below }) => below === undefined)) return undefined
  return (
    <ol class="choice">
      {parts.map(({ part, below }, index) => (
        <li key={index}>
          <p>
            Alternative {index + 1}: {typeLabel(document, part)}
          </p>
          {below}
        </li>
      ))}
    </ol>
  )
}
