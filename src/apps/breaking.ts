// What of an upgrade the records of before would not fit. Nothing migrates: it is refused while there are records.
import type { Finding } from './manifest/finding.ts'
import type { Field, Manifest, Resource } from './manifest/shape.ts'

export interface Breaking extends Pick<Finding, 'path'> {
  /** The resource whose records would not fit. */
  resource: string
  /** What the upgrade does, to follow "the upgrade". */
  what: string
}

export function breakingChanges(before: Manifest, after: Manifest): Breaking[] {
  const resources = after.resources ?? []
  return (before.resources ?? []).flatMap((old): Breaking[] => {
    const index = resources.findIndex(each => each.id === old.id)
    const now = resources[index]
    if (!now) return [{ resource: old.id, path: 'resources', what: `takes away the resource ${old.id}` }]
    return changesOfFields(old, now).map(({ at, what }) => ({ resource: old.id, path: `resources[${index}].fields${at}`, what }))
  })
}

interface Change {
  at: string
  what: string
}

function changesOfFields(old: Resource, now: Resource): Change[] {
  const gone = old.fields
    .filter(({ name }) => !now.fields.some(each => each.name === name))
    .map(({ name }) => ({ at: '', what: `renames or takes away the field ${name}` }))
  return [
    ...gone,
    ...now.fields.flatMap((field, index) =>
      changesOfField(
        old.fields.find(each => each.name === field.name),
        field,
        `[${index}]`,
      ),
    ),
  ]
}

function changesOfField(old: Field | undefined, { name, type, required = false, enumValues = [] }: Field, at: string): Change[] {
  if (required && !old?.required) return [{ at: `${at}.required`, what: `makes the field ${name} required` }]
  if (!old) return []
  if (old.type !== type) return [{ at: `${at}.type`, what: `makes the field ${name} a ${type}` }]
  const lost = (old.enumValues ?? []).filter(value => !enumValues.includes(value))
  return lost.length > 0 ? [{ at: `${at}.enumValues`, what: `takes away ${lost.join(', ')} from the values of ${name}` }] : []
}
