// The arguments of a call, checked by the tool's schema. Each error names the argument and the way out.
import { MCP_ERRORS_MAX } from '../../limits/mcp.ts'
import type { FieldError } from '../../problems.ts'
import { unstorable } from '../json.ts'
import { check } from '../validate.ts'
import { beginningOf, quoted } from './shown.ts'
import type { Tool } from './tool.ts'

/** Which tool takes an id, by its prefix. */
export type Finders = Map<string, { tool: string; noun: string }>

export const findersOf = (tools: Tool[]): Finders =>
  new Map(tools.flatMap(({ name, finds }) => (finds ? [[finds.idPrefix, { tool: name, noun: finds.noun }] as const] : [])))

/** @returns what is wrong with them: nothing, as a rule. Enumerations take the interface's spelling in place. */
export function faultsOf({ input }: Tool, args: unknown, finders: Finders): FieldError[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return [{ field: 'arguments', code: 'invalid_type', message: 'must be an object with the arguments by their names.' }]
  const faults = unstorable(args)
  const all = faults.length > 0 ? faults : check(input, args)
  return all
    .slice(0, MCP_ERRORS_MAX)
    .map(error => inWords(error, (args as Record<string, unknown>)[error.field], finders))
    .map(error => ({ ...error, field: beginningOf(error.field) }))
}

// An id in the wrong place says which tool it belongs to; one that is in its place, and cut short or mistyped, what it looks like.
function inWords(error: FieldError, value: unknown, finders: Finders): FieldError {
  if (error.code !== 'invalid_format' || typeof value !== 'string') return error
  const [, prefix = ''] = /^([a-z]+)_/.exec(value) ?? []
  const owner = finders.get(prefix)
  if (!owner || !error.message.includes('must be an id') || error.message.includes(`must be an id: ${prefix}_`)) return error
  return {
    ...error,
    code: 'wrong_kind_of_id',
    message: `${quoted(value)} is ${article(owner.noun)} ${owner.noun}'s id; use ${owner.tool}.`,
  }
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')
