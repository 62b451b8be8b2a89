// A manifest while it is written. What would go beyond what a manifest may hold is left out, and told.
import type { Config, Flow, Manifest, Resource } from '../../apps/manifest/shape.ts'
import { MANIFEST_LISTS } from '../../limits/apps.ts'
import { createEffort, type Effort } from './effort.ts'
import type { Target as Meant } from './meant.ts'
import type { Description } from './sentences.ts'

type List = 'resources' | 'skills' | 'views' | 'knowledge' | 'config' | 'flows'
type Whole = Manifest & Required<Pick<Manifest, List>>

export interface Draft {
  manifest: Whole
  /** What was not understood, or not done, each a sentence. */
  notes: string[]
  said: Description
  /** What the whole description tells of, where a flow speaks of it before it is told. */
  foreseen: { resources: readonly Resource[]; config: readonly Config[] }
  /** What was said before: of it "that" is said. */
  before: string
  /** What "them" and "it" mean: what was spoken of last. */
  resource: Resource | undefined
  flow: Flow | undefined
  /** What was read is so already, or stays as it is. */
  isSettled: boolean
  /** What was changed or named last. */
  spoken: Meant | undefined
  /** Of which kind it was: "one" is another of it. */
  topic: Meant['kind'] | undefined
  /** A manifest was given. */
  isEdit: boolean
  /** The flow is one that the description told of. */
  isFlowTold: boolean
  /** The clauses of the sentence, as they were read. */
  clauses: string[]
  /** One for all that is tried of a description. */
  effort: Effort
  /** Whether the words of a clause are proved. */
  proves: boolean
  /** The ids of resources that are there before they are told of. */
  ahead: string[]
}

/** Notes of one description; more of them tell nothing new. */
const NOTES_MAX = 50
export function newDraft(said: Description, from?: Manifest, foreseen: Draft['foreseen'] = { resources: [], config: [] }): Draft {
  const blank: Manifest = { manifestVersion: 1, id: '', version: '1.0.0', name: '', author: '', scopes: [] }
  const { resources = [], skills = [], views = [], knowledge = [], config = [], flows = [], ...rest } = structuredClone(from ?? blank)
  const manifest = { ...rest, resources, skills, views, knowledge, config, flows }
  return {
    manifest,
    notes: [],
    said,
    foreseen,
    before: '',
    resource: resources.length === 1 ? resources[0] : undefined,
    // An edit of a manifest with several flows has to name the one that it adds to.
    flow: flows.length === 1 ? flows[0] : undefined,
    isFlowTold: false,
    isSettled: false,
    spoken: undefined,
    topic: undefined,
    isEdit: from !== undefined,
    clauses: [],
    effort: createEffort(),
    proves: true,
    ahead: [],
  }
}

export function note(draft: Draft, sentence: string): void {
  if (draft.notes.length < NOTES_MAX && !draft.notes.includes(sentence)) draft.notes.push(sentence)
}

export const notUnderstood = (draft: Draft, part: string): void => note(draft, notice(draft, part))

/** What was told as not understood is, by a sentence behind it. */
export function understood(draft: Draft, part: string): void {
  draft.notes = draft.notes.filter(each => each !== notice(draft, part))
}

const notice = (draft: Draft, part: string): string => `Not understood: "${draft.said.restore(part).slice(0, 300)}".`

/** What was not understood says when a flow acts, or how: as it is written it would do more than was asked, so it is disabled. */
export function disable(draft: Draft, flow: Flow, part: string): void {
  flow.enabled = false
  note(
    draft,
    `Not understood: "${draft.said.restore(part).slice(0, 300)}". The flow "${flow.name}" is disabled, for without that it would do more than was asked.`,
  )
}

/** @returns whether there was room for it */
export function put<L extends List>(draft: Draft, list: L, entry: Whole[L][number]): boolean {
  const entries = draft.manifest[list] as unknown[]
  if (entries.length >= MANIFEST_LISTS[list]) {
    note(draft, `A manifest has at most ${MANIFEST_LISTS[list]} ${list}; the rest is left out.`)
    return false
  }
  entries.push(entry)
  return true
}

/** The manifest, without lists that are empty. */
export function manifestOf({ manifest }: Draft): Manifest {
  const { resources, skills, views, knowledge, config, flows, ...rest } = manifest
  // A resource has a field at least.
  for (const resource of resources) if (resource.fields.length === 0) resource.fields.push({ name: 'name', type: 'string' })
  return {
    ...rest,
    ...(resources.length > 0 && { resources }),
    ...(skills.length > 0 && { skills }),
    ...(views.length > 0 && { views }),
    ...(knowledge.length > 0 && { knowledge }),
    ...(config.length > 0 && { config }),
    ...(flows.length > 0 && { flows }),
  }
}
