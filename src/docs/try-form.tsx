// The form that sends an operation from the reference. Its script reads `data-…`: assets/reference.js.
import type { VNode } from 'preact'
import { type Endpoint, isOpen, type Parameter } from './document.ts'
import type { FileExample } from './example.ts'
import { Mark } from './schema-view.tsx'

export interface TryFormProps {
  /** The path of the API's address; empty at the root. */
  basePath: string
  endpoint: Endpoint
  /** An example of the body. */
  body: unknown
  file: FileExample | undefined
}

export function TryForm({ basePath, endpoint: { id, method, path, parameters, operation }, body, file }: TryFormProps): VNode {
  const text = file?.text ?? (body === undefined ? undefined : JSON.stringify(body, null, 2))
  return (
    <details class="try script-only">
      <summary>Try it</summary>
      <form
        data-method={method.toUpperCase()}
        data-path={`${basePath}${path}`}
        {...(isOpen(operation) && { 'data-open': '' })}
        aria-label={`Try: ${operation.summary ?? path}`}
      >
        <div class="inputs">
          {parameters
            .filter(parameter => parameter.in !== 'cookie')
            .map(parameter => (
              // biome-ignore lint/a11y/noLabelWithoutControl: the control is within
              <label key={`${parameter.in} ${parameter.name}`}>
                {parameter.name}
                {parameter.required && <Mark word="required" />}
                <Control {...parameter} />
              </label>
            ))}
        </div>
        {text !== undefined && (
          <label>
            Body
            <textarea
              name="body"
              data-in="body"
              data-type={file?.type ?? 'application/json'}
              rows={10}
              spellcheck={false}
              id={`${id}-body`}
              value={text}
            />
          </label>
        )}
        <button type="submit">Send {method.toUpperCase()}</button>
      </form>
      <div class="answer" role="status" aria-live="polite" />
    </details>
  )
}

// An enumeration is a select. A parameter left empty is not sent.
function Control(parameter: Parameter): VNode {
  const { name, required = false, schema } = parameter
  const marks = { name, required, 'data-in': parameter.in }
  const values = typeof schema === 'object' && (schema.enum ?? (schema.type === 'boolean' && [true, false]))
  if (typeof schema !== 'object' || !values)
    return <input {...marks} placeholder={placeholder(parameter)} autocomplete="off" spellcheck={false} />
  return (
    <select {...marks}>
      <option value="">{schema.default === undefined ? '' : `${schema.default}, unless chosen`}</option>
      {values.map(value => (
        <option key={String(value)}>{String(value)}</option>
      ))}
    </select>
  )
}

function placeholder({ in: place, schema }: Parameter): string {
  if (typeof schema !== 'object') return ''
  const several = typeof schema.items === 'object' && schema.items.enum?.slice(0, 2).join(',')
  const value = schema.examples?.[0] ?? schema.default ?? (several || undefined)
  return value === undefined ? (place === 'path' ? 'required' : '') : String(value)
}
