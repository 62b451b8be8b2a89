// The tools as they are listed: the bytes of one text for each set of scopes and role, made once. It has 40 KB, and a text of that size made for each
// answer kept 100 MB more of the process in use.
import type { Tool as ListedTool, ListToolsResult } from '@modelcontextprotocol/sdk/types.js'
import type { Admitted } from './credentials.ts'
import type { Tool } from './tool.ts'

/** Whether a tool is one of the caller's, by scope and role. */
export const isOpenTo = (tool: Tool, { scopes, role }: Pick<Admitted, 'scopes' | 'role'>): boolean =>
  scopes.includes(tool.scope) && (tool.role !== 'admin' || role === 'admin')

/** @returns the JSON of what tools/list answers to this caller */
export function listingOf(tools: Tool[]): (admitted: Pick<Admitted, 'scopes' | 'role'>) => Buffer {
  const made = new Map<string, Buffer>()
  return caller => {
    const mine = tools.filter(tool => isOpenTo(tool, caller))
    const key = mine.map(tool => tool.name).join()
    let bytes = made.get(key)
    if (bytes === undefined) {
      const result: ListToolsResult = { tools: mine.map(listedTool) }
      bytes = Buffer.from(JSON.stringify(result))
      made.set(key, bytes)
    }
    return bytes
  }
}

/** As clients are told of it. */
const listedTool = ({ name, title, description, hints = {}, scope, input, output }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: plain(input) as ListedTool['inputSchema'],
  outputSchema: orRefusal(plain(output) as Output),
  annotations: {
    title,
    readOnlyHint: scope === 'read',
    destructiveHint: hints.destructive === true,
    idempotentHint: scope === 'read' || hints.idempotent === true,
    openWorldHint: hints.openWorld === true,
  },
})

type Output = NonNullable<ListedTool['outputSchema']>

// Clients check refusals by the schema too. So no member is required, and `error` is among them.
function orRefusal({ required: _required, ...schema }: Output): Output {
  return { ...schema, properties: { ...schema.properties, error: REFUSAL } }
}

const REFUSAL = {
  type: 'object',
  description: 'In place of all else where the call was refused: why, and what to do next.',
  properties: { code: { type: 'string' }, message: { type: 'string' }, next_step: { type: 'string' } },
  required: ['code', 'message', 'next_step'],
  additionalProperties: true,
}

// Keywords and formats of this service's own say nothing to others, and some clients refuse them.
const plain = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (name, value: unknown) => (isOwn(name, value) ? undefined : value)))

const isOwn = (name: string, value: unknown): boolean => name.startsWith('x-') || (name === 'format' && OWN_FORMATS.has(value))
const OWN_FORMATS = new Set<unknown>(['currency', 'language'])
