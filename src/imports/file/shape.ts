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

/** What answers alone have at a place of a row. */
interface Answers {
  names: string[]
  members: [name: string, within: Answers][]
  items?: Answers | undefined
}

const known = new WeakMap<Shape, Answers>()

function answersOf(shape: Shape): Answers {
  const found = known.get(shape) ?? collected(shape.schema as Node, shape.answer as Node) ?? { names: [], members: [] }
  known.set(shape, found)
  return found
}

/** @returns undefined where answers have nothing of their own, as of dictionaries */
function collected(input: Node | undefined, answer: Node | undefined): Answers | undefined {
  const items = input?.items && collected(input.items, answer?.items)
  const [taken, shown] = [input?.properties, answer?.properties ?? {}]
  if (!taken) return items && { names: [], members: [], items }
  const members = Object.entries(taken).flatMap(([name, node]): Answers['members'] => {
    const within = collected(node, shown[name])
    return within ? [[name, within]] : []
  })
  const names = Object.keys(shown).filter(name => !Object.hasOwn(taken, name))
  return names.length + members.length > 0 ? { names, members } : undefined
}

/** Takes off the row what answers alone have, in its lists and objects too. */
export const takeOffAnswers = (row: unknown, shape: Shape): void => takeOff(row, answersOf(shape))

// By names that are known, for rows have few of them: to make each row anew took half as long as to check it.
function takeOff(value: unknown, { names, members, items }: Answers): void {
  if (Array.isArray(value)) {
    if (items) for (const each of value) takeOff(each, items)
    return
  }
  if (!isJsonObject(value)) return
  for (const name of names) if (Object.hasOwn(value, name)) delete value[name]
  for (const [name, within] of members) if (Object.hasOwn(value, name)) takeOff(value[name], within)
}

/** The members of the row that answers alone have, without those of its lists and objects. */
export const answersIn = (row: unknown, shape: Shape): string[] =>
  isJsonObject(row) ? answersOf(shape).names.filter(name => Object.hasOwn(row, name)) : []

/** @param answers names of members or columns that answers alone have */
export const notTaken = (answers: string[]): FieldError => ({
  field: '',
  code: 'not_importable',
  message: `holds what the service says of an order that is there (${listed(answers)}). An import places each row as a new order: leave that out.`,
})

const listed = (names: string[]): string => (names.length > 4 ? `${names.slice(0, 4).join(', ')}, …` : names.join(', '))
