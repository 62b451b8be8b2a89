// The shape of a manifest as JSON Schema, for editors: they complete names and check while an author types.
import { checkGenerated, type Generated, writeGenerated } from '../../cli/generated.ts'
import type { TriggerType } from './flow-shapes.ts'
import { scopeNames } from './scopes.ts'
import { Manifest } from './shape.ts'

const editorSchema = (triggers: readonly TriggerType[]): Generated => ({
  path: 'docs/apps/manifest.schema.json',
  source: 'the shape of a manifest',
  same: 'The schema for editors is the shape of a manifest.',
  command: 'bin/shopdesk app schema',
  text: () => textOf(triggers),
})

export const writeEditorSchema = (triggers: readonly TriggerType[]): Promise<void> => writeGenerated(editorSchema(triggers))
export const checkEditorSchema = (triggers: readonly TriggerType[]): Promise<void> => checkGenerated(editorSchema(triggers))

// What the rules check by lists of names is a choice here, so that an editor offers the names.
function textOf(triggers: readonly TriggerType[]): string {
  const names = triggers.map(({ name }) => name)
  const schema = JSON.parse(JSON.stringify(Manifest), (name, value) => {
    if (name === 'scopes') return { ...value, items: { type: 'string', enum: scopeNames(names) } }
    if (name === 'trigger') return { ...value, enum: names }
    return value
  })
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`
}
