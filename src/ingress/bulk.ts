// Bulk: items of one noun in one request, each of which succeeds or fails by itself. The answer is 200 when all were written, 207 when some
// were, 422 when none was.
import { type Static, type TObject, Type } from 'typebox'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import { isId } from '../ids.ts'
import { BULK_BODY_BYTES, BULK_VALUES_MAX } from '../limits/bodies.ts'
import { isUnavailable, wasRolledBack } from '../postgres/errors.ts'
import type { Tx } from '../postgres/sql.ts'
import { attempt, invalid, notFound, Problem, problemDocument } from '../problems.ts'
import { strict } from '../schemas.ts'
import { answer, type Done, type Result } from './bulk-answer.ts'
import { type BulkOf, bulkSchemas } from './bulk-schemas.ts'
import { type Route, write } from './route.ts'
import { validate } from './validate.ts'
import { yielding } from './yielding.ts'

/** An item, as it is handed to its noun. */
export type BulkWrite<New, Change> = { create: New } | { change: Change; id: string }

export interface BulkNoun<New extends TObject, Change extends TObject> extends BulkOf<New, Change> {
  /** The path of the collection. */
  path: string
  tag: string
  operationId: string
  description: string
  example: unknown
  /** Writes a set of items. A refused item is a value and leaves no trace. A call that throws has undone all its writes. */
  writeAll: (tx: Tx, caller: Caller, writes: BulkWrite<Static<New>, Static<Change>>[]) => Promise<(Done | Problem)[]>
}

export function bulk<New extends TObject, Change extends TObject>(config: Config, noun: BulkNoun<New, Change>): Route {
  const url = `${noun.path}/bulk`
  const schemas = bulkSchemas(noun, config)
  return write({
    method: 'POST',
    path: url,
    operationId: noun.operationId,
    tag: noun.tag,
    summary: `Create and change several ${noun.noun}s`,
    description: noun.description,
    body: schemas.request,
    readBody: value => itemsOf(value, config.bulkMaxItems),
    bodyBytes: BULK_BODY_BYTES,
    bodyValues: BULK_VALUES_MAX,
    example: noun.example,
    status: 200,
    response: schemas.all,
    bulk: { some: schemas.some, none: schemas.none },
    conflicts: [],
    handler: async ({ tx, caller, body, unexpected }) => {
      const write: WriteSet = items => noun.writeAll(tx, caller, items)
      const results = await writeItems(await readItems(noun, body), write, unexpected)
      return answer(url, results, problem => problemDocument(problem, config.docsUrl, url, caller.traceId as string))
    },
  })
}

type Item = BulkWrite<never, never>

// The items themselves are validated one by one: an error in one does not refuse the others.
const ItemList = strict({ items: Type.Array(Type.Unknown(), { minItems: 1 }) })

/** @throws {Problem} 422 unless the value is a list of items; 413 for too many items */
function itemsOf(value: unknown, max: number): unknown[] {
  const { items } = validate(ItemList, Array.isArray(value) ? { items: value } : value)
  if (items.length <= max) return items
  throw new Problem('payload-too-large', `A bulk request may have at most ${max} items; this one has ${items.length}.`, { max_items: max })
}

async function readItems<New extends TObject, Change extends TObject>(
  noun: BulkNoun<New, Change>,
  items: unknown[],
): Promise<(Item | Problem)[]> {
  const [named, read]: [Set<string>, (Item | Problem)[]] = [new Set(), []]
  const othersFirst = yielding()
  for (const item of items) {
    read.push(attempt(() => readNew(item)))
    await othersFirst()
  }
  return read

  function readNew(item: unknown): Item {
    const found = readItem(noun, item)
    if ('id' in found && named.size === named.add(found.id).size)
      throw invalid({ field: 'id', code: 'duplicate', message: 'is given by an item before this one.' })
    return found
  }
}

const AnItem = Type.Object({})

function readItem<New extends TObject, Change extends TObject>(noun: BulkNoun<New, Change>, item: unknown): Item {
  const given = validate(AnItem, item) as Record<string, unknown>
  if (given['id'] === undefined) return { create: validate(noun.create, given) as never }
  const { id, ...rest } = given
  if (typeof id !== 'string') throw invalid({ field: 'id', code: 'invalid_type', message: 'must be a string.' })
  const change = validate(noun.change, rest) as never
  if (!isId(noun.idPrefix, id)) throw notFound(noun.noun)
  return { change, id }
}

type WriteSet = (items: Item[]) => Promise<(Done | Problem)[]>
type Unexpected = (error: unknown) => Problem

async function writeItems(items: (Item | Problem)[], write: WriteSet, unexpected: Unexpected): Promise<Result[]> {
  const sound = items.filter((each): each is Item => !(each instanceof Problem))
  const outcomes = (sound.length > 0 ? await writeSet(sound, write, unexpected) : []).values()
  return items.map(item => {
    const outcome = item instanceof Problem ? item : (outcomes.next().value as Done | Problem)
    return { outcome, status: outcome instanceof Problem ? outcome.status : 'create' in item ? 201 : 200 }
  })
}

// All items in a few statements. Where one item makes the whole set fail, they are written one by one, so that the others succeed.
async function writeSet(items: Item[], write: WriteSet, unexpected: Unexpected): Promise<(Done | Problem)[]> {
  try {
    return await write(items)
  } catch (error) {
    if (!wasRolledBack(error)) throw error
    const outcomes: (Done | Problem)[] = []
    for (const item of items) outcomes.push(...(await write([item]).catch(error => [refusal(error, unexpected)])))
    return outcomes
  }
}

function refusal(error: unknown, unexpected: Unexpected): Problem {
  // The whole request can be tried again.
  if (isUnavailable(error)) throw error
  return error instanceof Problem ? error : unexpected(error)
}
