// Renaming: wherever the old name stands, the new one does afterwards.
import type { Config, Field, Manifest, Resource } from '../../apps/manifest/shape.ts'
import { textsIn } from '../../apps/manifest/templates.ts'

export function renameResource(manifest: Manifest, resource: Resource, id: string, name: string): void {
  const before = resource.id
  resource.id = id
  resource.name = name
  for (const view of manifest.views ?? []) if (view.component === `list:${before}`) view.component = `list:${id}`
  for (const { steps } of manifest.flows ?? [])
    for (const step of steps) if ('resource' in step && step.resource === before) step.resource = id
}

export function renameField(manifest: Manifest, resource: Resource, index: number, name: string): void {
  const field = resource.fields[index]
  if (!field) return
  const before = field.name
  field.name = name
  for (const flow of manifest.flows ?? []) {
    const makers = flow.steps.filter(step => 'resource' in step && step.resource === resource.id).map(({ id }) => id)
    for (const step of flow.steps) {
      if ('values' in step && step.resource === resource.id) step.values = renamed(step.values, before, name)
      for (const maker of makers)
        replaceTexts(step as unknown as Record<string, unknown>, `steps.${maker}.output.${before}`, `steps.${maker}.output.${name}`)
    }
  }
}

/** Texts name settings as `config.key`. */
export function renameSetting(manifest: Manifest, setting: Config, name: string): void {
  const before = setting.key
  setting.key = name
  for (const flow of manifest.flows ?? [])
    for (const step of flow.steps) replaceTexts(step as unknown as Record<string, unknown>, `config.${before}`, `config.${name}`)
}

export function renameFieldValue(manifest: Manifest, resource: Resource, field: Field, before: string, value: string): void {
  for (const flow of manifest.flows ?? [])
    for (const step of flow.steps)
      if ('values' in step && step.resource === resource.id && step.values[field.name] === before) step.values[field.name] = value
}

const renamed = (values: Record<string, unknown>, from: string, to: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name === from ? to : name, value]))

function replaceTexts(part: Record<string, unknown>, from: string, to: string): void {
  for (const [at, text] of [...textsIn(part)]) {
    if (!text.includes(from)) continue
    const holder = at.slice(0, -1).reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], part)
    ;(holder as Record<string | number, unknown>)[at.at(-1) as string] = text.replaceAll(
      new RegExp(`${from.replaceAll('.', '\\.')}(?![\\w-])`, 'g'),
      to,
    )
  }
}
