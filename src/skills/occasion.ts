// What a skill is called for. It says whether the call spends a budget, what its key is about, and what a repeat is told by.

/** What a call is for, as its caller says it. */
export type For =
  /** A turn of a conversation, of which the assistant gives the id. */
  | { conversation: string; turn: string }
  /**
   * A step of a flow's run. `revision`: the one the run began with. `secrets`: values of secret settings that stand in the arguments; `shown`: the
   * arguments with masks in their places, for a short one that stands inside of a text is found by no search. `attempt`: more than
   * one where a person has the step done again that failed; the key stays the same.
   */
  | { run: string; step: string; revision: number; secrets: readonly string[]; shown?: unknown; attempt?: number }
  /** An author's trial. It speaks for the app's health only when it succeeds. */
  | 'test'

/** The same as the row has it. */
export interface Occasion {
  purpose: 'conversation' | 'run' | 'test'
  /** Within it, one call has one row. */
  occasion: string
  conversation: string | null
  run: string | null
  step: string | null
}

/** @param id of the call itself */
export function occasionOf(asked: For, id: string): Occasion & { about: string } {
  const none = { conversation: null, run: null, step: null }
  if (asked === 'test') return { ...none, purpose: 'test', occasion: id, about: id }
  if ('run' in asked) {
    const { attempt = 1 } = asked
    const about = `${asked.run}.${asked.step}`
    return { ...none, purpose: 'run', occasion: attempt > 1 ? `${about}.${attempt}` : about, run: asked.run, step: asked.step, about }
  }
  const { conversation, turn } = asked
  return { ...none, purpose: 'conversation', occasion: turn, conversation, about: conversation }
}
