// A call of an app's skill, from its arguments to its output. A refusal is a value, in words for a model.
//
// Its row is written before the first byte leaves, and its outcome before that is used. So whatever dies in between: if the same is asked again, the call is
// made with the same key and bytes, or answered from the row.
import { setTimeout as delay } from 'node:timers/promises'
import { type Callable, callableApp, type Installed, manifestOf } from '../apps/installed.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { SKILL_ARGUMENTS_BYTES, SKILL_CALLS_OF_ONE, SKILL_CALLS_PER_TURN, SKILL_PLACE_MS, SKILL_TOTAL_MS } from '../limits/skills.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { FieldError } from '../problems.ts'
import type { Skill } from './answer.ts'
import { type Asked, type Asking, type Called, giveUp, type SkillContext } from './asking.ts'
import * as store from './call-store.ts'
import { type Code, refusal } from './codes.ts'
import { ready } from './compilers.ts'
import { faultsOf, told } from './faults.ts'
import { judge } from './judge.ts'
import { callKey, canonical } from './key.ts'
import { masked } from './masks.ts'
import { type For, occasionOf } from './occasion.ts'
import { calledOf, perform } from './perform.ts'
import { sealInput } from './sealed.ts'
import { begin as beginTogether, takeOver } from './writing.ts'

/** Times that an app may change while one call begins; after that the call is made as the app was read last. */
const CHANGES_MAX = 3

/**
 * @returns undefined: the workspace has no such app, or the app no such skill
 * @throws {GivenUp}, or the signal's reason
 */
export async function call(context: SkillContext, asked: Asked): Promise<Called | undefined> {
  await ready()
  for (let changes = 0; ; changes++) {
    const callable = await callableApp(context.sql, asked.tenant, asked.app_id, changes > 0)
    const judged = callable && (await judgedBy(context, asked, callable))
    // As the app is now, it may let the call through, or say otherwise why not.
    if (callable?.isKept && (!judged || judged.fault)) continue
    if (!judged) return undefined
    if (judged.fault) return refuse(judged.asking, judged.fault)
    const called = await begin(judged.asking, changes < CHANGES_MAX ? judged.asking.callable.version : null)
    if (called !== 'changed') return called
  }
}

async function judgedBy(
  context: SkillContext,
  asked: Asked,
  callable: Callable,
): Promise<{ asking: Asking; fault: Fault | undefined } | undefined> {
  const { app } = callable
  const revision = revisionOf(app, asked.for)
  const skill = await skillOf(context.sql, app, revision, asked.skill_id)
  if (!skill) return undefined
  const body = canonical(asked.arguments)
  const row = rowOf(context, { app, revision, skill, asked, body })
  const asking = { context, row, callable, skill, secrets: secretsOf(asked.for), signal: asked.signal }
  return { asking, fault: stateFault(app) ?? inputFault(skill, asked.arguments, body) }
}

interface Prepared {
  app: Installed
  revision: number
  skill: Skill
  asked: Asked
  /** The canonical text of the arguments; undefined where they are no JSON. */
  body: string | undefined
}

function rowOf({ keyring }: SkillContext, { app, revision, skill, asked, body }: Prepared): store.NewCall {
  const { tenant, id: appId } = app
  const id = newId('call')
  const { about, ...occasion } = occasionOf(asked.for, id)
  const isKept = body !== undefined && Buffer.byteLength(body) <= SKILL_ARGUMENTS_BYTES
  const input = (isKept && canonical(masked(shownOf(asked), secretsOf(asked.for)))) || ''
  return {
    ...occasion,
    tenant,
    id,
    app: appId,
    revision,
    skill: skill.id,
    key: callKey(about, skill.id, body ?? ''),
    input,
    sealed: isKept && body !== input ? sealInput(keyring, tenant, id, body) : null,
  }
}

const revisionOf = (app: Installed, asked: For): number => (asked !== 'test' && 'run' in asked ? asked.revision : app.revision)

const secretsOf = (asked: For): readonly string[] => (asked !== 'test' && 'run' in asked ? asked.secrets : [])

const shownOf = ({ arguments: value, for: occasion }: Asked): unknown =>
  occasion !== 'test' && 'run' in occasion && occasion.shown !== undefined ? occasion.shown : value

async function skillOf(sql: Queryable, app: Installed, revision: number, id: string): Promise<Skill | undefined> {
  const manifest = revision === app.revision ? app.manifest : await manifestOf(sql, app.tenant, app.id, revision)
  return manifest?.skills?.find(skill => skill.id === id)
}

/** Why a call is not even begun. */
interface Fault {
  code: Code
  why: string
  errors: FieldError[]
}

function stateFault({ name, state, missing }: Installed): Fault | undefined {
  if (state === 'active') return undefined
  if (state === 'disabled') return { code: 'app_disabled', why: '', errors: [] }
  return { code: 'config_required', why: `Its app ${name} has no value for ${missing.join(', ')}.`, errors: [] }
}

/** @param body the canonical text of the arguments */
export function inputFault({ inputSchema }: Skill, value: unknown, body: string | undefined): Fault | undefined {
  if (body === undefined) return wrong([{ field: 'arguments', code: 'malformed_json', message: 'cannot be written as JSON.' }])
  if (Buffer.byteLength(body) > SKILL_ARGUMENTS_BYTES)
    return wrong([{ field: 'arguments', code: 'too_long', message: `has more than ${SKILL_ARGUMENTS_BYTES} bytes as JSON.` }])
  const { check } = judge(inputSchema)
  const errors = check ? faultsOf(check(value), value) : [NO_SCHEMA]
  return errors.length > 0 ? wrong(errors) : undefined
}

const NO_SCHEMA = {
  field: 'arguments',
  code: 'invalid_schema',
  message: 'cannot be held against inputSchema, which is not valid any more.',
}

const wrong = (errors: FieldError[]): Fault => ({ code: 'invalid_input', why: told(errors), errors })

async function refuse({ context, row, skill }: Asking, { code, why, errors }: Fault): Promise<Called> {
  await store.refuse(context.sql, row, code, why, errors)
  return { ...refusal(code, skill.name, why), call_id: row.id }
}

/** Calls of a turn that are written at once count again: each time at least one more is written, until the budget is spent. */
const TRIES = SKILL_CALLS_PER_TURN + 2

/** @param version of the app by which the call was judged; null: whatever it is now @returns 'changed': it is another now */
async function begin(asking: Asking, version: string | null): Promise<Called | 'changed'> {
  const { context, row, skill } = asking
  for (let tried = 0; tried < TRIES; tried++) {
    if (context.stopping.aborted) giveUp(asking.signal)
    const [token, askedAt] = [context.standing.token(), performance.now()]
    const found = await beginTogether(context.sql, { call: row, token, version })
    if (found?.state === 'ours') return perform(asking, { ...row, attempts: [], asked: false }, { token, askedAt, spared: found.spared })
    if (found?.state === 'changed') return 'changed'
    if (found?.state === 'ended') return calledOf(skill, found.id, found.ended)
    if (found?.state === 'exhausted') return refuse(asking, exhausted(found.ofSkill))
    if (found) return waitFor(asking, found.id)
  }
  return refuse(asking, exhausted(0))
}

const exhausted = (ofSkill: number): Fault => ({
  code: 'budget_exhausted',
  why:
    ofSkill >= SKILL_CALLS_OF_ONE
      ? `It was called ${SKILL_CALLS_OF_ONE} times in this turn, as often as it may be.`
      : `Skills of its app were called ${SKILL_CALLS_PER_TURN} times in this turn, as often as they may be.`,
  errors: [],
})

/** How often a call that is made elsewhere is looked at, at first and at last. */
const LOOK_MS = 25
const LOOK_MAX_MS = 400
/** How long it is waited for: longer than it may take. */
const ELSEWHERE_MS = SKILL_TOTAL_MS + 2 * SKILL_PLACE_MS

/** The same call is under way elsewhere, or was when its process died. */
async function waitFor(asking: Asking, id: string): Promise<Called> {
  const { context, skill, row, signal } = asking
  const until = performance.now() + ELSEWHERE_MS
  const waiting = AbortSignal.any([signal, context.stopping])
  for (let ms = LOOK_MS; performance.now() < until; ms = Math.min(ms * 1.5, LOOK_MAX_MS)) {
    const outcome = await store.outcomeOf(context.sql, row.tenant, id)
    if (outcome === 'left') {
      const [token, askedAt] = [context.standing.token(), performance.now()]
      const taken = await takeOver(context.sql, row.tenant, id, token)
      if (taken) return perform(asking, taken, { token, askedAt, spared: taken.spared })
    } else if (outcome) return calledOf(skill, id, outcome)
    await delay(ms, undefined, { signal: waiting }).catch(() => giveUp(signal))
  }
  return { ...refusal('busy', skill.name), call_id: id, again_at: new Date(now() + SKILL_PLACE_MS).toISOString() }
}
