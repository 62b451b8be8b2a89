// Refusals as a model reads them: a stable code, what is wrong, and what to do next. A call that fails this way is a result (`isError`), for the model
// can mend it.
import { type FieldError, notFound, type Problem } from '../../problems.ts'
import { isNoId } from './arguments.ts'
import { seen } from './shown.ts'
import type { Tool } from './tool.ts'

export interface Refusal {
  code: string
  message: string
  next_step: string
  [member: string]: unknown
}

/** A call, as a model is told to make it. */
export const toCall = (tool: string, args: object): string => `${tool} ${JSON.stringify(args)}`

/** @returns JSON text */
export const refused = (refusal: Refusal): string => JSON.stringify({ error: refusal })

export function invalidArguments(tool: Tool, errors: FieldError[], args: unknown): Refusal {
  const toFind = errors.every(isNoId) ? tool.nextSteps?.['not_found']?.(notFound(tool.name), args as never) : undefined
  return {
    code: 'invalid_arguments',
    message: sentence(errors),
    next_step: toFind ?? `Call ${tool.name} again with these arguments mended; its input schema says what each may be.`,
    errors,
  }
}

export const insufficientScope = ({ scope }: Tool): Refusal => ({
  code: 'insufficient_scope',
  message: `This connection may not ${scope === 'write' ? 'change anything' : 'read'}: it lacks the scope ${scope}.`,
  required_scope: scope,
  next_step: `Tell the user: reconnect and allow ${scope}, or use a key with the scope ${scope}.`,
})

export const insufficientRole = ({ role }: Tool): Refusal => ({
  code: 'insufficient_role',
  message: `Only people with the role ${role} may do this.`,
  required_role: role,
  next_step: `Tell the user that a person with the role ${role} has to do this, in the dashboard or through a connection of their own.`,
})

export function rateLimitExceeded(limit: number, resetMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return {
    code: 'rate_limit_exceeded',
    message: `The limit of ${limit} calls of this kind in 60 seconds is exhausted.`,
    limit,
    retry_after_sec: seconds,
    next_step: `Wait ${seconds} s, then call again.`,
  }
}

export const unavailable: Refusal = {
  code: 'service_unavailable',
  message: 'The service cannot reach its database just now.',
  retry_after_sec: 1,
  next_step: 'Wait a few seconds, then call again.',
}

export const internal = (traceId: string): Refusal => ({
  code: 'internal',
  message: 'Something went wrong on the side of the service; it was logged under the trace_id.',
  trace_id: traceId,
  next_step: 'Try once more; if it fails again, tell the user the trace_id.',
})

/** The refusal of a verb, in its own code. */
export function ofVerb(tool: Tool, problem: Problem, args: unknown): Refusal {
  const { code, errors, ...members } = problem.members as { code?: string; errors?: FieldError[] }
  const told = problem.type === 'resource-not-found' ? 'not_found' : (code ?? problem.type.replaceAll('-', '_'))
  const renamed = errors?.map(each => ({ ...each, field: tool.renamed?.[each.field] ?? each.field }))
  // What a read refuses is an argument, such as a cursor of another list.
  if (renamed && tool.scope === 'read') return invalidArguments(tool, renamed, args)
  const seconds = Number(problem.headers['Retry-After'])
  return {
    code: told,
    message: seen(renamed ? sentence(renamed) : problem.message),
    ...members,
    ...(renamed && { errors: renamed }),
    ...(seconds > 0 && { retry_after_sec: seconds }),
    next_step: tool.nextSteps?.[told]?.(problem, args as never) ?? usualStep(tool, told, seconds),
  }
}

function usualStep({ name }: Tool, code: string, seconds: number): string {
  if (seconds > 0) return `Wait ${seconds} s, then call ${name} again.`
  if (code === 'not_found') return 'Look for the right id with the tool that lists such things.'
  return `Mend what the message names, then call ${name} again.`
}

function sentence([first, ...rest]: FieldError[]): string {
  if (!first) return 'The arguments do not fit.'
  return `${first.field ? `${first.field}: ` : ''}${first.message}${rest.length > 0 ? ` And ${rest.length} more: see errors.` : ''}`
}
