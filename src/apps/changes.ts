// What an upgrade changes, told before it is made.
import type { Manifest } from './manifest/shape.ts'

export interface Changed {
  added: string[]
  changed: string[]
  removed: string[]
}

export interface Changes {
  /** As authors write it: what counts is the revision. */
  version: { from: string | null; to: string }
  scopes: { added: string[]; removed: string[] }
  resources: Changed
  skills: Changed
  views: Changed
  knowledge: Changed
  config: Changed
  flows: Changed
}

const NOTHING: Pick<Manifest, 'scopes'> = { scopes: [] }

/** @param before undefined for the first install @param granted the scopes that the app has */
export function changesOf(before: Manifest | undefined, after: Manifest, granted: readonly string[]): Changes {
  const was: Partial<Manifest> = before ?? NOTHING
  return {
    version: { from: before?.version ?? null, to: after.version },
    scopes: {
      added: after.scopes.filter(each => !granted.includes(each)),
      removed: granted.filter(each => !after.scopes.includes(each)),
    },
    resources: compared(was.resources, after.resources, each => each.id),
    skills: compared(was.skills, after.skills, each => each.id),
    views: compared(was.views, after.views, each => each.id),
    knowledge: compared(was.knowledge, after.knowledge, each => each.id),
    config: compared(was.config, after.config, each => each.key),
    flows: compared(was.flows, after.flows, each => each.id),
  }
}

function compared<T>(before: T[] = [], after: T[] = [], nameOf: (each: T) => string): Changed {
  const contents = (list: T[]) => new Map(list.map(each => [nameOf(each), contentOf(each)]))
  const [old, now] = [contents(before), contents(after)]
  return {
    added: [...now.keys()].filter(name => !old.has(name)),
    changed: [...now].filter(([name, content]) => old.has(name) && old.get(name) !== content).map(([name]) => name),
    removed: [...old.keys()].filter(name => !now.has(name)),
  }
}

/** A text that is the same for the same content, whatever the order of members. */
export const contentOf = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
