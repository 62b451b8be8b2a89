// Templates become values: rendered once, the result never read again.
import { parseTemplate } from '../../apps/manifest/templates.ts'
import { RENDERED_BYTES, RENDERED_STRING_BYTES } from '../../limits/flows.ts'
import { invalid, type Problem } from '../../problems.ts'
import { lookup, type Surroundings } from './lookup.ts'

/**
 * The value with each template in it replaced. A text that is one template keeps the type of what it leads to; inside a text null is empty and an object
 * is JSON.
 * @param field what the value is to the author, for a refusal
 * @throws {Problem} 422 for a text of more than RENDERED_STRING_BYTES, or more than RENDERED_BYTES in all
 */
export function render(value: unknown, around: Surroundings, field: string): unknown {
  const budget: Budget = { left: RENDERED_BYTES, field }
  const rendered = renderAny(value, around, budget)
  refuseLarge(rendered, field)
  return rendered
}

/** A text, whatever its templates lead to. @throws {Problem} as `render` */
export function renderText(text: string, around: Surroundings, field: string): string {
  return asText(render(text, around, field))
}

interface Budget {
  /** Bytes that may still be rendered: a template repeated a thousand times must end before it fills the memory. */
  left: number
  field: string
}

function renderAny(value: unknown, around: Surroundings, budget: Budget): unknown {
  if (typeof value === 'string') return renderString(value, around, budget)
  if (Array.isArray(value)) return value.map(each => renderAny(each, around, budget))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renderAny(each, around, budget)]))
}

function renderString(text: string, around: Surroundings, budget: Budget): unknown {
  const template = parseTemplate(text)
  if (!template || template.paths.length === 0) return text
  if (template.isLone) return spend(lookup(around, template.paths[0] as string), budget)
  let [rendered, end] = ['', 0]
  for (const path of template.paths) {
    const at = text.indexOf('{{', end)
    rendered += text.slice(end, at) + asText(spend(lookup(around, path), budget))
    end = text.indexOf('}}', at) + 2
  }
  return rendered + text.slice(end)
}

function spend(value: unknown, budget: Budget): unknown {
  budget.left -= bytesOf(value)
  if (budget.left < 0) throw tooLarge(budget.field, 'in all', RENDERED_BYTES)
  return value
}

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

const bytesOf = (value: unknown): number => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? null))

function refuseLarge(value: unknown, field: string): void {
  if (bytesOf(value) > RENDERED_BYTES) throw tooLarge(field, 'in all', RENDERED_BYTES)
  for (const text of textsIn(value))
    if (Buffer.byteLength(text) > RENDERED_STRING_BYTES) throw tooLarge(field, 'in one text', RENDERED_STRING_BYTES)
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

const tooLarge = (field: string, where: string, bytes: number): Problem =>
  invalid({
    field,
    code: 'rendered_too_large',
    message: `is larger than ${bytes / 1024} KB ${where} once its templates are filled in; name members of the event instead of all of it.`,
  })
