// One call of a tool: its slot, scope and role, its arguments, the verb, and what became of it. Nothing is thrown but for a call that names no tool.
import type { Logger } from 'pino'
import type { Caller } from '../../caller.ts'
import { audit } from '../../postgres/audit.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { begin, type Database } from '../../postgres/sql.ts'
import { Problem } from '../../problems.ts'
import type { LongReads } from '../long-reads.ts'
import { type Finders, faultsOf } from './arguments.ts'
import { capabilityOf } from './capabilities.ts'
import { isOpenTo } from './catalogue.ts'
import type { Admitted, Slot } from './credentials.ts'
import { answer, errorAnswer, INVALID_PARAMS, type Request } from './messages.ts'
import { nearestTool } from './names.ts'
import * as refusals from './refusal.ts'
import { quoted, seen } from './shown.ts'
import type { ReadTool, Tool } from './tool.ts'

/** A call before it runs. */
export interface Call {
  request: Request
  name: string
  /** Undefined where none has that name. */
  tool: Tool | undefined
  args: unknown
}

export interface Calling {
  db: Database
  log: Logger
  longReads: LongReads
  tools: ReadonlyMap<string, Tool>
  finders: Finders
}

/** What a call is answered in: its trace, and the end of the wait when the client leaves. */
export interface Within {
  traceId: string
  leaving: () => AbortSignal
}

/** The call that a request to call a tool is; undefined where its params are malformed. */
export function callOf(tools: ReadonlyMap<string, Tool>, request: Request): Call | undefined {
  const { params } = request
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined
  const { name, arguments: args } = params as Record<string, unknown>
  if (typeof name !== 'string') return undefined
  return { request, name, tool: tools.get(name), args: Object.hasOwn(params, 'arguments') ? args : {} }
}

/** @param early the result of a read that was begun while its caller was being admitted */
export async function answerCall(
  calling: Calling,
  call: Call,
  admitted: Admitted,
  slot: Slot,
  within: Within,
  early?: Promise<string>,
): Promise<string> {
  const { request, tool } = call
  if (!slot.allowed) return failure(request, refusals.rateLimitExceeded(slot.quota.limit, slot.quota.resetMs))
  try {
    if (!tool) return await noTool(calling, call, admitted)
    const refusal = await forbidden(calling, tool, admitted)
    if (refusal) return failure(request, refusal)
    return success(request, await (early ?? run(calling, tool, call.args, admitted.caller, within)))
  } catch (error) {
    return failure(request, tool ? refusalOf(calling, tool, call.args, error, within) : lost(calling, error, within))
  }
}

/**
 * Runs a tool whose caller may.
 * @returns the JSON text of its result
 * @throws {Refused} for arguments that do not fit
 * @throws {Problem} the verb's refusal
 */
export async function run(calling: Calling, tool: Tool, args: unknown, caller: Caller, within: Within): Promise<string> {
  const faults = faultsOf(tool, args, calling.finders)
  if (faults.length > 0) throw new Refused(refusals.invalidArguments(tool, faults, args))
  if (tool.scope === 'read') return readWith(calling, tool, args, caller, within)
  return begin(calling.db.sql, tx => tool.run({ caller, args: args as never, tx }))
}

function readWith({ db, longReads }: Calling, tool: ReadTool, args: unknown, caller: Caller, { leaving }: Within): Promise<string> {
  return tool.run({
    caller,
    args: args as never,
    point: db.pointLane,
    sql: db.listLanes,
    apart: work => longReads(caller.tenant, work, leaving()),
  })
}

class Refused extends Error {
  readonly refusal: refusals.Refusal

  constructor(refusal: refusals.Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

// Scopes and roles are looked at when the slot is taken: a caller who keeps trying is limited like any other.
async function forbidden(calling: Calling, tool: Tool, admitted: Admitted): Promise<refusals.Refusal | undefined> {
  const { scopes, role } = admitted
  const refusal = !scopes.includes(tool.scope)
    ? refusals.insufficientScope(tool)
    : tool.role === 'admin' && role !== 'admin'
      ? refusals.insufficientRole(tool)
      : undefined
  if (refusal) await record(calling, admitted, tool.name, refusal.code)
  return refusal
}

async function noTool(calling: Calling, { request, name }: Call, admitted: Admitted): Promise<string> {
  const capability = capabilityOf(name)
  if (capability === undefined) {
    const known = [...calling.tools.values()].filter(each => isOpenTo(each, admitted))
    const near = nearestTool(name, known)
    const meant = near === undefined ? '.' : `; did you mean ${near}?`
    return errorAnswer(
      request.id,
      INVALID_PARAMS,
      `There is no tool ${quoted(name)}${meant} The tools are: ${known.map(each => each.name).join(', ')}.`,
    )
  }
  await record(calling, admitted, name, 'capability_unavailable')
  return errorAnswer(
    request.id,
    INVALID_PARAMS,
    `${quoted(name)} is not possible over this connection: it is done in the dashboard, by a person.`,
    {
      reason: 'capability_unavailable',
      capability,
      where: 'dashboard',
    },
  )
}

const record = ({ db }: Calling, { caller, credential }: Admitted, tool: string, reason: string): Promise<void> =>
  audit(db.sql, caller, 'agent.refuse', credential, { tool: seen(tool.slice(0, 100)).toWellFormed(), reason })

function refusalOf(calling: Calling, tool: Tool, args: unknown, error: unknown, within: Within): refusals.Refusal {
  if (error instanceof Refused) return error.refusal
  if (error instanceof Problem) return refusals.ofVerb(tool, error, args)
  return lost(calling, error, within)
}

function lost({ log }: Calling, err: unknown, { traceId }: Within): refusals.Refusal {
  if (isUnavailable(err)) {
    log.error({ err, traceId }, 'the database did not answer')
    return refusals.unavailable
  }
  log.error({ err, traceId }, 'a call of a tool failed')
  return refusals.internal(traceId)
}

const success = ({ id }: Request, json: string): string => answer(id, result(json))

const failure = ({ id }: Request, refusal: refusals.Refusal): string => answer(id, result(refusals.refused(refusal), true))

// Twice: clients of today read the structure, those of before the text.
const result = (json: string, isError = false): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}${isError ? ',"isError":true' : ''}}`
