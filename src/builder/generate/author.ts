// The generator: reads a description sentence by sentence, each by the first reader that knows what it is about. It needs no model, and gives the same for
// the same words.
import type { Manifest } from '../../apps/manifest/shape.ts'
import { readAbout } from './about.ts'
import { isAccess, readAccess } from './access.ts'
import { clausesOf, titleIn } from './clauses.ts'
import { withoutCourtesy } from './courtesy.ts'
import { stemOf, unreadOf } from './coverage.ts'
import { type Draft, manifestOf, newDraft, note } from './draft.ts'
import { readEdit, readScoped } from './edits.ts'
import { readConditions } from './flow-conditions.ts'
import { readFlow, readMention, readMoreSteps, readStrayTrigger, readValues } from './flows.ts'
import { readFrames } from './frames.ts'
import { readKnowledge } from './knowledge.ts'
import { ASSISTANT } from './names.ts'
import { lose } from './narrowing.ts'
import { readInputs, readName, readSkill, readTitle, readUse } from './parts.ts'
import { placed } from './placings.ts'
import { readOnce } from './records.ts'
import { readResource } from './resources.ts'
import { readSame } from './same.ts'
import { readDescription } from './sentences.ts'
import { readSettings } from './settings.ts'
import { corrected } from './spelling.ts'
import { again, copied, outcomeOf, stateOf } from './states.ts'
import { together } from './together.ts'
import { type Reader, readBest } from './trials.ts'
import { occasionOf } from './triggers.ts'
import { asidesIn, wordingsOf } from './wordings.ts'

export interface Written {
  manifest: unknown
  /** What was not understood, or not done, each a sentence. */
  notes: string[]
}

/** Writes manifests: this generator, or what else may come to stand here. What it gives is judged and cleaned by generate.ts. */
export type Author = (description: string, manifest?: Manifest) => Written | Promise<Written>

export const read: Author = async (description, from) => {
  const said = readDescription(description)
  const first = await drafted(newDraft(said, from))
  // What a flow speaks of may be told behind it: read again, knowing how it ends.
  const { resources, config } = first.manifest
  const draft = first.notes.length === 0 ? first : await drafted(newDraft(said, from, { resources, config }))
  for (const sentence of said.unread)
    note(draft, `Not read, for it is too long for one sentence: "${said.restore(sentence).slice(0, 200)}…".`)
  return { manifest: manifestOf(draft), notes: draft.notes }
}

async function drafted(draft: Draft): Promise<Draft> {
  const { sentences, title } = together(draft.said.sentences)
  draft.manifest.name ||= title
  for (const [at, sentence] of sentences.entries()) {
    await readSentence(draft, sentence)
    const rest = sentences.slice(at + 1).join('. ')
    if (!draft.effort.isSpent() || rest === '') continue
    // In front, for there are only so many notes.
    draft.notes.unshift(`Not read, for there is too much before it to be read at once: "${draft.said.restore(rest).slice(0, 200)}…".`)
    break
  }
  return draft
}

/** Who reads what stands beside an edit: "show the tickets on a page and rename …". */
const OTHERS: Reader[] = [readSkill, readFrames, readAccess, readSettings, readMoreSteps, readResource]

/** The order tells which reader has the say where several would. */
const READERS: Reader[] = [
  (draft, sentence) => readSame(draft, sentence, clause => READERS.some(reader => reader(draft, clause))),
  readAbout,
  readKnowledge,
  readScoped,
  readFlow,
  readStrayTrigger,
  readConditions,
  readMention,
  readValues,
  readOnce,
  (draft, sentence) => isAccess(sentence) && readAccess(draft, sentence),
  (draft, sentence) => readEdit(draft, sentence, part => OTHERS.some(reader => reader(draft, part))),
  readSkill,
  readInputs,
  readUse,
  readTitle,
  readFrames,
  readAccess,
  readSettings,
  readMoreSteps,
  readResource,
]

async function readSentence(draft: Draft, sentence: string): Promise<void> {
  const names = draft.isEdit ? JSON.stringify(draft.manifest).toLowerCase() : ''
  const text = readName(draft, withoutCourtesy(corrected(sentence, word => names.includes(word))))
  const start = copied(stateOf(draft))
  await readText(draft, text)
  // A word that is in none of the clauses that were read was put in other words, or left out.
  const read = new Set(draft.clauses.flatMap(clause => clause.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map(stemOf))
  const whole = outcomeOf(draft)
  const outcome = async (other: string, proves: boolean): Promise<string> => {
    const tried = { ...again(draft, start), proves }
    await readText(tried, other)
    return outcomeOf(tried)
  }
  let unproved: Promise<string> | undefined
  const made = async (other: string): Promise<string> => {
    if (other === text || draft.effort.provesNoMore()) return whole
    // To prove each clause again takes long: only where it could come to the same.
    unproved ??= outcome(text, false)
    const tried = await outcome(other, false)
    return tried === (await unproved) ? outcome(other, true) : tried
  }
  const isAside = asidesIn(text)
  for (const part of await unreadOf(text, made, (word, at) => read.has(stemOf(word)) || isAside(at)))
    lose(draft, start.manifest.flows, part)
}

async function readText(draft: Draft, text: string): Promise<void> {
  draft.clauses = []
  draft.manifest.name ||= titleIn(text)
  for (const told of clausesOf(text, words => occasionOf(words, draft.said)?.left === ''))
    for (const clause of placed(draft, told)) await readClause(draft, clause)
}

/** What "it" may do behind a sentence about the assistant. */
const IT_MAY =
  /^(?:(?:and|but|also) )*it (?=(?:can|may|should|must|shall)(?: also| not| never| only)* (?:be able to )?(?:read|see|look|write|create|change|add|edit|update|touch)\b)/i
const ABOUT_ASSISTANT = new RegExp(`\\b${ASSISTANT}\\b`, 'i')

async function readClause(draft: Draft, told: string): Promise<void> {
  const clause = ABOUT_ASSISTANT.test(draft.before) ? told.replace(IT_MAY, 'the assistant ') : told
  await readBest(draft, wordingsOf(clause), clause, READERS)
}
