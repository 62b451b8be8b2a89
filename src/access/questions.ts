// Is this token a key's? Asked about tokens that were not admitted before, which any caller can make up. So callers share statements, a process
// has only so many of these a second, and a token that is no key's is remembered for a moment.
import { KEY_QUESTION_MAX, KEY_QUESTIONS, LATE_KEY_QUESTIONS, UNKNOWN_KEY_MS, UNKNOWN_KEYS_MAX } from '../limits.ts'
import { batched, type Pace, paced } from '../postgres/batch.ts'

export interface Questions {
  /**
   * @param late the caller is beyond the limit of its address: there are few questions for such callers
   * @returns undefined where a late question has to wait: it is put all the same
   */
  ask(token: string, late: boolean): Promise<boolean> | undefined
}

/** @param find asks the database; in the order of the tokens */
export function createQuestions(find: (tokens: string[]) => Promise<boolean[]>): Questions {
  // Until when, of performance.now(), each counts as unknown; the oldest first.
  const unknown = new Map<string, number>()
  const underWay = new Map<string, Promise<boolean>>()
  const [soon, rarely] = [lineOf(KEY_QUESTIONS), lineOf(LATE_KEY_QUESTIONS)]

  function lineOf(pace: Pace) {
    const { waitMs, turn } = paced(pace)
    return { waitMs, put: batched(answer, KEY_QUESTION_MAX, 1, turn) }
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

  function put(token: string, line: typeof soon): Promise<boolean> {
    const asked = line.put(token).finally(() => underWay.delete(token))
    underWay.set(token, asked)
    // A late caller does not wait to hear that it failed.
    asked.catch(() => {})
    return asked
  }

  return {
    ask(token, late) {
      if ((unknown.get(token) ?? 0) > performance.now()) return Promise.resolve(false)
      unknown.delete(token)
      const before = underWay.get(token)
      if (!late) return before ?? put(token, soon)
      const mustWait = rarely.waitMs() > 0
      // So many fill a statement: the next caller finds it empty again within a second.
      if (!before && underWay.size < KEY_QUESTION_MAX) void put(token, rarely)
      return mustWait ? undefined : underWay.get(token)
    },
  }
}
