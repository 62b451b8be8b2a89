// A trial of a skill by its author: the code of every call, against the live service. It spends no budget, and says of the app's health only that it answers.
import { idOfApp } from '../apps/installed.ts'
import { newId } from '../ids.ts'
import { type FieldError, fieldOf, invalid, notFound } from '../problems.ts'
import type { Skill } from './answer.ts'
import type { Called, SkillContext } from './asking.ts'
import { answerLog } from './attempt.ts'
import { call, inputFault } from './call.ts'
import { type Code, refusal } from './codes.ts'
import { ready } from './compilers.ts'
import { judge } from './judge.ts'
import { callKey, canonical } from './key.ts'
import { findCall } from './log-store.ts'
import { make } from './make.ts'
import { calledOf, endedOf, shownHeaders } from './perform.ts'
import type { Trial, Tried } from './schema.ts'

/**
 * @returns what came of it, the app's refusals too
 * @throws {Problem} 404 for an unknown app or skill, 422 for a request that makes no sense
 */
export async function trySkill(context: SkillContext, tenant: string, trial: Trial, signal: AbortSignal): Promise<Tried> {
  const { app_id, skill_id, skill } = trial
  if (skill !== undefined && app_id === undefined && skill_id === undefined)
    return tryInline(context, tenant, skill, trial.arguments, signal)
  if (skill !== undefined || app_id === undefined || skill_id === undefined) throw invalid(EITHER)
  const app = await idOfApp(context.sql, tenant, app_id)
  const called = app && (await call(context, { tenant, app_id: app, skill_id, arguments: trial.arguments, signal, for: 'test' }))
  if (!app) throw notFound('app')
  if (!called) throw notFound('skill')
  return triedOf(called, JSON.parse((await findCall(context.sql, tenant, app, called.call_id)) as string))
}

const EITHER: FieldError = { field: '', code: 'invalid_combination', message: 'needs either app_id and skill_id, or skill.' }

// biome-ignore lint/suspicious/noExplicitAny: as the log has it
function triedOf(called: Called, { request, response, attempts, errors, duration_ms }: any): Tried {
  return {
    ...saidOf(called, errors),
    call_id: called.call_id,
    request,
    response,
    attempts: attempts.map(({ started_at, ...attempt }: { started_at: string }) => attempt),
    duration_ms,
  }
}

type Said = Pick<Tried, 'object' | 'ok' | 'stage' | 'value' | 'truncated' | 'errors'>

function saidOf(called: Called, errors: FieldError[]): Said {
  if (!('refused' in called))
    return { object: 'skill_test', ok: true, stage: 'done', value: called.output, truncated: called.truncated, errors: [] }
  const { stage, code, reason } = called
  const why = errors.length > 0 ? errors : [{ field: '', code, message: reason }]
  return { object: 'skill_test', ok: false, stage, value: null, truncated: code === 'truncated', errors: why }
}

/** A skill that is not installed: nothing of it is written. */
async function tryInline(context: SkillContext, tenant: string, skill: Skill, value: unknown, signal: AbortSignal): Promise<Tried> {
  await ready()
  refuseSchemas(skill)
  const [id, body] = [newId('call'), canonical(value)]
  const question = {
    tenant,
    url: skill.endpoint,
    key: callKey(id, skill.id, body ?? ''),
    body: body ?? '',
    credential: { mode: 'none' as const },
  }
  const fault = inputFault(skill, value, body)
  const none = { response: null, attempts: [], duration_ms: 0, call_id: null }
  const request = { method: 'POST' as const, url: skill.endpoint, headers: {}, body: question.body }
  const failed = (code: Code, errors: FieldError[] = []): Tried => ({
    ...none,
    ...saidOf({ ...refusal(code, skill.name), call_id: id }, errors),
    request,
  })
  if (fault) return failed(fault.code, fault.errors)
  const place = await context.places.enter({ tenant, id: 'inline' }, 0, signal)
  if (!place) return failed('busy')
  const { client, timeoutMs } = context
  const since = performance.now()
  const { judged, outcome, attempts, headers } = await make(
    { client, timeoutMs, signal, mayBegin: () => true, mayNow: async () => false, again: async () => 'granted' },
    question,
    skill,
    { attempts: [], asked: false },
  ).finally(() => place.leave())
  signal.throwIfAborted()
  if (!judged) return failed('connection')
  return {
    ...saidOf(calledOf(skill, id, endedOf(skill, judged, [])), judged.code === null ? [] : judged.errors),
    call_id: null,
    request: { ...request, headers: shownHeaders(headers) },
    response: answerLog(outcome, []),
    attempts: attempts.map(({ started_at, ...attempt }) => attempt),
    duration_ms: Math.round(performance.now() - since),
  }
}

/** @throws {Problem} 422: schemas that cannot be compiled would be refused at the install */
function refuseSchemas({ inputSchema, outputSchema }: Skill): void {
  const all = Object.entries({ inputSchema, outputSchema }).flatMap(([name, schema]) =>
    schema === undefined
      ? []
      : judge(schema).errors.map(({ at, code, message }) => ({ field: fieldOf(['skill', name, ...at]), code, message })),
  )
  if (all.length > 0) throw invalid(all)
}
