// The generator: reads a description sentence by sentence, each by the first reader that knows what it is about. It needs no model, and gives the same for
// the same words.
import type { Manifest } from '../../apps/manifest/shape.ts'
import { readAccess } from './access.ts'
import { clausesOf } from './clauses.ts'
import { withoutCourtesy } from './courtesy.ts'
import { type Draft, manifestOf, newDraft, note, notUnderstood } from './draft.ts'
import { readEdit } from './edits.ts'
import { readConditions, readFlow, readMoreSteps, readStrayTrigger } from './flows.ts'
import { readKnowledge } from './knowledge.ts'
import { readFrames, readInputs, readName, readSettings, readSkill } from './parts.ts'
import { readResource } from './resources.ts'
import { readDescription } from './sentences.ts'

export interface Written {
  manifest: unknown
  /** What was not understood, or not done, each a sentence. */
  notes: string[]
}

/** Writes manifests: this generator, or what else may come to stand here. What it gives is judged and cleaned by generate.ts. */
export type Author = (description: string, manifest?: Manifest) => Written | Promise<Written>

export const read: Author = (description, from) => {
  const said = readDescription(description)
  const draft = newDraft(said, from)
  for (const sentence of said.sentences) readSentence(draft, sentence)
  for (const sentence of said.unread)
    note(draft, `Not read, for it is too long for one sentence: "${said.restore(sentence).slice(0, 200)}…".`)
  return { manifest: manifestOf(draft), notes: draft.notes }
}

type Reader = (draft: Draft, sentence: string) => boolean

/** The order tells which reader has the say where several would. */
const READERS: Reader[] = [
  readKnowledge,
  readFlow,
  readStrayTrigger,
  readConditions,
  readEdit,
  readSkill,
  readInputs,
  readFrames,
  readAccess,
  readSettings,
  readMoreSteps,
  readResource,
]

function readSentence(draft: Draft, sentence: string): void {
  const text = readName(draft, withoutCourtesy(sentence))
  for (const clause of clausesOf(text)) {
    if (!READERS.some(reader => reader(draft, clause))) notUnderstood(draft, clause)
    draft.before = clause
  }
}
