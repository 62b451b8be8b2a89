// What reading one description may take. It is counted, not timed, so that the same words give the same.
import { yielding } from '../../ingress/yielding.ts'

/** Readings of clauses: past so many no word is proved any more, and each counts as not understood. */
const PROVED_MAX = 3_000
/** Past so many nothing more is read. A description is read twice at most, each time in about half a second of a free processor. */
const READ_MAX = 4_000
/** What a reading takes grows with the clause, and with the manifest that is copied for it. */
const CLAUSE_CHARS = 100
const MANIFEST_CHARS = 8_000

export interface Effort {
  provesNoMore(): boolean
  isSpent(): boolean
  /** Counts one reading. Others of the process go first when this has taken its slice of time. */
  spend(clause: string, manifestChars: number): Promise<void>
}

export function createEffort(): Effort {
  const othersFirst = yielding()
  let spent = 0
  return {
    provesNoMore: () => spent > PROVED_MAX,
    isSpent: () => spent > READ_MAX,
    async spend(clause, manifestChars) {
      spent += 1 + clause.length / CLAUSE_CHARS + manifestChars / MANIFEST_CHARS
      await othersFirst()
    },
  }
}
