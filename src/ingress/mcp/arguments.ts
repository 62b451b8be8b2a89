// The arguments of a call, checked by the tool's schema. Each error names the argument and the way out.
import { now } from '../../clock.ts'
import { prefixesOf } from '../../ids.ts'
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
    .map(error => inWords(error, input, (args as Record<string, unknown>)[error.field], finders))
    .map(error => ({ ...error, field: beginningOf(error.field) }))
}

// What models send where something else is meant, with the way out: nothing as null, several as a list, a day for a time, a number or another thing's id
// for an id. An id that is in its place, and cut short or mistyped, is told what it looks like.
function inWords(error: FieldError, input: Tool['input'], value: unknown, finders: Finders): FieldError {
  const { field, code, message } = error
  if (code !== 'invalid_type' && code !== 'invalid_format') return error
  const saying = (more: string): FieldError => ({ ...error, message: `${message.slice(0, -1)}${more}` })
  const { pattern = '', format } = (input.properties[field] ?? {}) as { pattern?: string; format?: string }
  if (value === null) return saying(input.required?.includes(field) ? ', not null.' : ', not null; leave it out where nothing is meant.')
  if (Array.isArray(value)) return saying(', not a list; call once for each.')
  if (format === 'date-time') return { ...error, message: `${TIME}; it is ${new Date(now()).toISOString()} now.` }
  const [prefix] = prefixesOf(pattern)
  if (prefix === undefined) return error
  const text = typeof value === 'string' ? value : ''
  const [, given = ''] = /^([a-z]+)_/.exec(text) ?? []
  const owner = given === prefix ? undefined : finders.get(given)
  if (!owner) return { ...error, message: `${NO_ID}: ${prefix}_ and 26 characters.` }
  return { ...error, code: 'wrong_kind_of_id', message: `${quoted(text)} is ${article(owner.noun)} ${owner.noun}'s id; use ${owner.tool}.` }
}

const TIME = 'must be an ISO 8601 time with its zone, such as 2026-05-25T09:30:00.000Z'
const NO_ID = 'must be an id'

/** Whether a fault is that of something else in the place of an id: what there is has to be looked for. */
export const isNoId = ({ message }: FieldError): boolean => message.startsWith(NO_ID)

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')
