// Is this token a key? Asked about tokens that were not admitted before, which any caller can make up. So callers share statements, a process sends
// only so many of these a second, and a token that is no key is remembered for a moment.
import { KEY_QUESTION_MAX, KEY_QUESTIONS, LATE_KEY_QUESTIONS, UNKNOWN_KEY_MS, UNKNOWN_KEYS_MAX } from '../limits/access.ts'
import { batched, type Pace, paced } from '../postgres/batch.ts'

export interface Questions {
  /**
   * @param late the caller is beyond the limit of its address: there are few questions for such callers
   * @returns undefined where a late question has to wait: it is asked all the same
   */
  ask(token: string, late: boolean): Promise<boolean> | undefined
}

/** @param find asks the database about tokens, and answers in their order */
export function createQuestions(find: (tokens: string[]) => Promise<boolean[]>): Questions {
  // The performance.now() until which each token counts as unknown; the oldest first.
  const unknown = new Map<string, number>()
  const underWay = new Map<string, Promise<boolean>>()
  const [soon, rarely] = [lineOf(KEY_QUESTIONS), lineOf(LATE_KEY_QUESTIONS)]

  function lineOf(pace: Pace) {
    const { waitMs, turn } = paced(pace)
    return { waitMs, add: batched(answer, KEY_QUESTION_MAX, 1, turn) }
  }

  async function answer(tokens: string[]): Promise<boolean[]> {
    const found = await find(tokens)
    const until = performance.now() + UNKNOWN_KEY_MS
    for (const [index, token] of tokens.entries()) if (!found[index]) unknown.set(token, until)
    for (const token of unknown.keys()) {
      if (unknown.size <= UNKNOWN_KEYS_MAX) break
      unknown.delete(token)
    }
    return found
  }

  function enqueue(token: string, line: typeof soon): Promise<boolean> {
    const asked = line.add(token).finally(() => underWay.delete(token))
    underWay.set(token, asked)
    // A late caller does not wait for the answer, so a failure must not be unhandled.
    asked.catch(() => {})
    return asked
  }

  return {
    ask(token, late) {
      if ((unknown.get(token) ?? 0) > performance.now()) return Promise.resolve(false)
      unknown.delete(token)
      const before = underWay.get(token)
      if (!late) return before ?? enqueue(token, soon)
      const mustWait = rarely.waitMs() > 0
      // One statement's worth of tokens may wait: it goes out within a second, and makes room for the next callers.
      if (!before && underWay.size < KEY_QUESTION_MAX) void enqueue(token, rarely)
      return mustWait ? undefined : underWay.get(token)
    },
  }
}
