// What a row of a file may be: what its resource takes, and what only answers and exports say of it.
import type { TSchema } from 'typebox'
import { isJsonObject } from '../../json.ts'
import type { FieldError } from '../../problems.ts'

export interface Shape {
  /** The schema of a row. */
  schema: TSchema
  /** That of answers and exports. */
  answer: TSchema
  /** Rows of exports are taken without what answers alone have; or they are refused, for what they say would be lost. */
  exported: 'taken' | 'refused'
}

interface Node {
  properties?: Record<string, Node>
  items?: Node
}

/** The row without the members that answers alone have, its lists and objects included. */
export const withoutAnswers = (row: unknown, { schema, answer }: Shape): unknown => without(row, schema as Node, answer as Node)

function without(value: unknown, input: Node | undefined, answer: Node | undefined): unknown {
  if (Array.isArray(value) && input?.items) return value.map(each => without(each, input.items, answer?.items))
  if (!isJsonObject(value) || !input?.properties) return value
  const { properties: known } = input
  const shown = answer?.properties ?? {}
  const kept = Object.entries(value).filter(([name]) => !isAnswer(name, known, shown))
  return Object.fromEntries(kept.map(([name, each]) => [name, without(each, known[name], shown[name])]))
}

/** The members that answers alone have, without those of its lists and objects. */
export function answersIn(row: unknown, { schema, answer }: Shape): string[] {
  const [known = {}, shown = {}] = [(schema as Node).properties, (answer as Node).properties]
  return isJsonObject(row) ? Object.keys(row).filter(name => isAnswer(name, known, shown)) : []
}

const isAnswer = (name: string, known: Record<string, Node>, shown: Record<string, Node>): boolean =>
  Object.hasOwn(shown, name) && !Object.hasOwn(known, name)

/** @param answers names of members or columns that answers alone have */
export const notTaken = (answers: string[]): FieldError => ({
  field: '',
  code: 'not_importable',
  message: `holds what the service says of an order that is there (${listed(answers)}). An import places each row as a new order: leave that out.`,
})

const listed = (names: string[]): string => (names.length > 4 ? `${names.slice(0, 4).join(', ')}, …` : names.join(', '))
