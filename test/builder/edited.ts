// Edits with what each should give: the manifest that is edited, with something changed in it.
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import type { Described } from './expected.ts'

/** A manifest with something changed in it. */
const edited = (from: Manifest, change: (parts: Required<Manifest>) => unknown): Described['gives'] => {
  const parts = structuredClone(from)
  change(parts as Required<Manifest>)
  return parts
}
export const row = (from: Manifest, text: string, change: (parts: Required<Manifest>) => unknown, quoted?: string[]): Described => ({
  text,
  from,
  gives: edited(from, change),
  ...(quoted && { quoted }),
})
export const same = (): void => {}
export const fieldsOf = ({ resources }: Required<Manifest>, at = 0) => (resources[at] as Required<Manifest>['resources'][number]).fields
export const fieldOf = (parts: Required<Manifest>, name: string, at = 0) =>
  fieldsOf(parts, at).find(each => each.name === name) as ReturnType<typeof fieldsOf>[number]
export const flowOf = ({ flows }: Required<Manifest>, id: string) =>
  flows.find(each => each.id === id) as Required<Manifest>['flows'][number]
export const drop = (list: { name?: string; id?: string; key?: string }[], name: string) =>
  list.splice(
    list.findIndex(each => [each.name, each.id, each.key].includes(name)),
    1,
  )
