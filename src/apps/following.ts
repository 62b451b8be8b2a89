// What happens to an app, in lines: each call of a skill and each run of a flow, told again when it has gone on.
import { printable } from '../cli/printable.ts'
import { type FollowedRun, followedRuns } from '../flows/followed.ts'
import type { Ref } from '../ids.ts'
import { APP_FOLLOWED_MAX } from '../limits/apps.ts'
import { allowing } from '../outbound/address.ts'
import type { Queryable } from '../postgres/sql.ts'
import { type FollowedCall, followedCalls } from '../skills/followed.ts'

/** @returns gives the lines about what has happened since it was last asked */
export function following(
  sql: Queryable,
  since: Date,
  kinds: readonly ('calls' | 'runs')[] = ['calls', 'runs'],
): (app: Ref) => Promise<string[]> {
  const told = new Map<string, string>()
  const news = (id: string, lines: string[]): string[] => {
    const text = lines.join('\n')
    if (told.get(id) === text) return []
    told.set(id, text)
    return lines
  }
  return async app => {
    const [calls, runs] = await Promise.all([
      kinds.includes('calls') ? followedCalls(sql, app.tenant, app.id, since, APP_FOLLOWED_MAX) : [],
      kinds.includes('runs') ? followedRuns(sql, app, since, APP_FOLLOWED_MAX) : [],
    ])
    const lines = [...calls.flatMap(call => news(call.id, linesOfCall(call))), ...runs.flatMap(run => news(run.id, linesOfRun(run)))]
    return lines.map(printable)
  }
}

function linesOfCall({ skill_id, purpose, status, code, error, http_status, duration_ms, request, response }: FollowedCall): string[] {
  const took = duration_ms === null ? '' : `, ${duration_ms} ms`
  const answer = http_status === null ? '' : `, HTTP ${http_status}`
  return [
    `call ${skill_id} (${purpose}): ${code ?? status}${answer}${took}`,
    `  asked     ${short(request.body)}`,
    ...(response?.body ? [`  answered  ${short(response.body)}`] : []),
    ...(error ? [`  why       ${error}`] : []),
    ...(code === 'private_address' ? [`  to allow  ${toAllow(request.url)}`] : []),
  ]
}

function linesOfRun({ id, flow_id, status, reason, event, steps }: FollowedRun): string[] {
  return [
    `run ${flow_id} on ${event.type}: ${status}${reason ? `, ${reason}` : ''} (${id})`,
    ...steps.map(step => `  ${step.id}: ${step.status}${wordsOf(step)}`),
  ]
}

const wordsOf = ({ error, reason }: FollowedRun['steps'][number]): string => {
  const words = error ? `${error.code}: ${error.message}` : reason
  return words ? `, ${words}` : ''
}

/** How the operator allows an address of the inside, and where. */
export const toAllow = (url: string): string => `${allowing(url)}, set where web and worker are started`

/** What fits into a few lines of a terminal. */
const SHORT_CHARS = 400
const short = (text: string): string => (text.length <= SHORT_CHARS ? text : `${text.slice(0, SHORT_CHARS)}…`)
