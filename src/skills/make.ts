// The requests of a call: one, and once more where that may help.
import { SKILL_TOTAL_MS } from '../limits/skills.ts'
import type { OutboundClient } from '../outbound/client.ts'
import type { Outcome } from '../outbound/outcome.ts'
import { type Done, type Failed, judgeAnswer, type Skill } from './answer.ts'
import { type AttemptLog, attempt, type Question } from './attempt.ts'
import type { Again } from './call-store.ts'

export interface Made {
  /** Undefined: it was given up, and nothing is known of the app. */
  judged: Done | Failed | undefined
  outcome: Outcome
  attempts: AttemptLog[]
  /** The app can have got one of them. */
  asked: boolean
  /** As they were sent last. */
  headers: Record<string, string>
}

export interface Maker {
  client: OutboundClient
  /** The time for an attempt, from its start to the last byte of its answer. */
  timeoutMs: number
  /** The time for both. */
  totalMs?: number
  signal: AbortSignal
  mayBegin: () => boolean
  /** Called where a request that might not begin was left out. Resolves with whether it may by now. */
  mayNow: () => Promise<boolean>
  /** Called before the second attempt. */
  again: (attempts: AttemptLog[]) => Promise<Again>
}

/** @param before what was made of it: of its attempts the last was answered, and the next number is that of the attempt that is made */
export async function make(maker: Maker, question: Question, skill: Skill, before: Pick<Made, 'attempts' | 'asked'>): Promise<Made> {
  const until = performance.now() + (maker.totalMs ?? SKILL_TOTAL_MS)
  let { attempts, asked } = before
  for (;;) {
    const left = until - performance.now()
    const timeoutMs = Math.max(1, Math.min(maker.timeoutMs, Math.round(left)))
    const { outcome, log, headers } = await attempt({ ...maker, timeoutMs }, question, attempts.length + 1)
    if (outcome.error === 'aborted' && outcome.sent === 'no' && until - performance.now() > 2 && (await maker.mayNow())) continue
    attempts = [...attempts, log]
    asked ||= outcome.error === undefined || outcome.sent === 'perhaps'
    const judged = judgeAnswer(outcome, skill, asked)
    const made = { judged, outcome, attempts, asked, headers }
    if (!judged || judged.code === null || !judged.again || attempts.length === ATTEMPTS) return made
    // A timer may end a millisecond early, and in less than two nothing is asked.
    if (until - performance.now() < 2) return made
    const again = await maker.again(attempts)
    if (again !== 'granted') return again === 'refused' ? made : { ...made, judged: undefined }
  }
}

/** spec: one retry. */
const ATTEMPTS = 2
