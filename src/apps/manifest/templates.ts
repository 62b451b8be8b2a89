// Templates: `{{path}}` in a text, and nothing more. There are no helpers and no sections; they are rendered once, and the result is never read again.
import type { Steps } from './finding.ts'

/** A text of a manifest, cut where its templates are. */
export interface Template {
  /** The paths in it, in their order. */
  paths: string[]
  /** Nothing but one template: what it renders to keeps its type. */
  isLone: boolean
}

/** @returns undefined where a `{{` is not closed, or holds no path */
export function parseTemplate(text: string): Template | undefined {
  const paths: string[] = []
  let end = 0
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', end)) {
    end = text.indexOf('}}', at) + 2
    const path = end > 1 ? text.slice(at + 2, end - 2).trim() : ''
    if (!PATH.test(path)) return undefined
    paths.push(path)
  }
  return { paths, isLone: paths.length === 1 && text.startsWith('{{') && text.indexOf('}}') === text.length - 2 }
}

/** Names with dots between; what they lead to is not known yet. */
export const PATH = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/

/** The texts in a value, each with its place in it. */
export function* textsIn(value: unknown, at: Steps = []): Generator<[at: Steps, text: string]> {
  if (typeof value === 'string') yield [at, value]
  else if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* textsIn(each, [...at, index])
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) yield* textsIn(each, [...at, name])
}

/** Whether a value holds a template anywhere. */
export const isConstant = (value: unknown): boolean => textsIn(value).every(([, text]) => !text.includes('{{'))
