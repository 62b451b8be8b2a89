// What the event of a run is about: whom a step tags and writes to, and what a record is linked to.
import { type Entity, NAMED } from '../../apps/manifest/subjects.ts'
import { Problem } from '../../problems.ts'
import { lookup, type Surroundings } from './lookup.ts'

/** @returns its id; undefined where the event is about none */
export function subjectOf(around: Surroundings, entity: Entity): string | undefined {
  for (const path of NAMED[entity]) {
    const id = lookup(around, path)
    if (typeof id === 'string') return id
  }
  return undefined
}

const WITHOUT: Record<Entity, string> = {
  contact: 'The event is about no contact.',
  order: 'The event is about no order.',
  product: 'The event is about no product.',
  conversation: 'The event belongs to no conversation, so there is none to write in.',
}

/** @throws {Problem} 409 where the event is about none */
export function requireSubject(around: Surroundings, entity: Entity): string {
  const id = subjectOf(around, entity)
  if (id === undefined) throw new Problem('conflict', WITHOUT[entity], { code: `no_${entity}` })
  return id
}
