// The schemas of a bulk request and of its three answers.
import { type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import type { Config } from '../config.ts'
import { idPattern, type Prefix } from '../ids.ts'
import { type Conflict, conflictSchema, problemSchema } from './problem-schemas.ts'

/** The schemas of the noun that a bulk request writes. */
export interface BulkOf<New extends TObject, Change extends TObject> {
  /** The form of an id, and the word for what it names. */
  idPrefix: Prefix
  noun: string
  create: New
  change: Change
  resource: TSchema
  conflicts: Conflict[]
}

interface BulkSchemas {
  request: TUnsafe<unknown[]>
  /** 200, 207, 422. */
  all: TSchema
  some: TSchema
  none: TSchema
}

export function bulkSchemas<New extends TObject, Change extends TObject>(noun: BulkOf<New, Change>, config: Config): BulkSchemas {
  const { docsUrl, bulkMaxItems } = config
  const problems = [
    ...(['validation-failed', 'resource-not-found', 'internal-error'] as const).map(type => problemSchema(type, docsUrl)),
    ...noun.conflicts.map(each => conflictSchema(each, docsUrl)),
  ]
  const result = (status: TSchema, part: object) => Type.Object({ index: Type.Integer({ minimum: 0 }), status, ...part })
  const written = result(Type.Enum([200, 201]), { data: noun.resource })
  const refused = result(Type.Enum([404, 409, 422, 500]), { error: Type.Unsafe({ anyOf: problems }) })
  const of = (results: TSchema) => ({
    object: Type.Literal('bulk_result'),
    url: Type.String({ description: 'The path of the request.' }),
    summary: Type.Object({ total: Count, succeeded: Count, failed: Count }),
    results: Type.Array(results, { description: 'One for each item, in the order of the items.' }),
  })
  return {
    request: request(noun, bulkMaxItems),
    all: Type.Object(of(written)),
    some: Type.Object(of(Type.Unsafe({ anyOf: [written, refused] }))),
    none: Type.Object({ ...(problemSchema('validation-failed', docsUrl) as TObject).properties, ...of(refused) }),
  }
}

const Count = Type.Integer({ minimum: 0 })

function request<New extends TObject, Change extends TObject>(
  { create, change, idPrefix, noun }: BulkOf<New, Change>,
  maxItems: number,
): TUnsafe<unknown[]> {
  const id = Type.String({ pattern: idPattern(idPrefix), description: `The ${noun} to change.` })
  const changed = Type.Object({ id, ...change.properties }, { additionalProperties: false, minProperties: 2 })
  const items = { type: 'array', minItems: 1, maxItems, items: { anyOf: [create, changed] } }
  const list = { type: 'object', required: ['items'], properties: { items }, additionalProperties: false }
  return Type.Unsafe({ anyOf: [list, { ...items, description: 'The same without the name.' }] })
}
