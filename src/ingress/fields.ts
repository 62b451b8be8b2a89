// Sparse fieldsets: `fields=id,customer.email` returns only the named paths. Arrays map: `items.sku` is the sku of every item.
import { type TSchema, Type } from 'typebox'
import { invalid } from '../problems.ts'

export type Project = (value: unknown) => unknown
type Tree = Map<string, Tree>

const PATHS_MAX = 100

/** The query parameter `fields`. */
export const fields = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'A comma list of field paths, dotted for nested ones; only these are returned.',
  }),
)

/**
 * @param schema the resource's schema, against which each path is checked
 * @throws {Problem} 422 for a path that names nothing
 */
export function parseFields(text: string, schema: TSchema): Project {
  const tree: Tree = new Map()
  const paths = text.split(',').map(path => path.trim())
  if (paths.length > PATHS_MAX) throw invalid({ field: 'fields', code: 'too_many', message: `must name at most ${PATHS_MAX} paths.` })
  for (const path of paths) {
    if (!names(schema, path.split('.')))
      throw invalid({
        field: 'fields',
        code: 'unknown_path',
        message: `${JSON.stringify(path.slice(0, 100))} names nothing here; fields is a comma list such as id,name.`,
      })
    plant(tree, path.split('.'))
  }
  return value => prune(value, tree)
}

/** A resource's JSON text, reduced to what `project` keeps. */
export function sparse(json: string | Buffer, project: Project | undefined): string | Buffer {
  return project ? JSON.stringify(project(JSON.parse(json.toString()))) : json
}

function names(schema: TSchema, path: string[]): boolean {
  const [head, ...rest] = path
  if (head === undefined) return true
  return objectSchemas(schema).some(object => {
    const properties = object['properties'] as Record<string, TSchema> | undefined
    if (properties && Object.hasOwn(properties, head)) return names(properties[head] as TSchema, rest)
    if (object['additionalProperties'] === true) return head !== ''
    // The names in maps such as metadata are the tenant's.
    return typeof object['additionalProperties'] === 'object' && head !== '' && names(object['additionalProperties'] as TSchema, rest)
  })
}

// Through arrays and "or null", down to the objects.
function objectSchemas(schema: TSchema): Record<string, unknown>[] {
  const { anyOf, items } = schema as { anyOf?: TSchema[]; items?: TSchema }
  if (anyOf) return anyOf.flatMap(objectSchemas)
  return items ? objectSchemas(items) : [schema as Record<string, unknown>]
}

// `customer,customer.email` asks for the whole customer: the wider path wins.
function plant(tree: Tree, [head, ...rest]: string[]): void {
  if (head === undefined) return
  const known = tree.get(head)
  if (rest.length === 0) tree.set(head, new Map())
  else if (known === undefined) {
    const branch: Tree = new Map()
    tree.set(head, branch)
    plant(branch, rest)
  } else if (known.size > 0) plant(known, rest)
}

function prune(value: unknown, tree: Tree): unknown {
  if (tree.size === 0 || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(item => prune(item, tree))
  const from = value as Record<string, unknown>
  const kept = [...tree].filter(([name]) => Object.hasOwn(from, name))
  return Object.fromEntries(kept.map(([name, branch]) => [name, prune(from[name], branch)]))
}
