// The shape of a manifest as JSON Schema, for editors: they complete names and check while an author types.
import { readFile, writeFile } from 'node:fs/promises'
import { OperatorError } from '../../errors.ts'
import type { TriggerType } from './flows.ts'
import { SCOPES, subscription } from './scopes.ts'
import { Manifest } from './shape.ts'

const FILE = new URL('../../../docs/apps/manifest.schema.json', import.meta.url)

export async function writeEditorSchema(triggers: readonly TriggerType[]): Promise<void> {
  await writeFile(FILE, textOf(triggers))
  console.log('Wrote docs/apps/manifest.schema.json.')
}

/** @throws {OperatorError} when the shape has changed since the file was written */
export async function checkEditorSchema(triggers: readonly TriggerType[]): Promise<void> {
  if ((await readFile(FILE, 'utf8').catch(() => '')) === textOf(triggers))
    return console.log('The schema for editors is the shape of a manifest.')
  throw new OperatorError('docs/apps/manifest.schema.json is not what the shape of a manifest makes; run: bin/shopdesk app schema')
}

// What the rules check by lists of names is a choice here, so that an editor offers the names.
function textOf(triggers: readonly TriggerType[]): string {
  const names = triggers.map(({ name }) => name)
  const schema = JSON.parse(JSON.stringify(Manifest), (name, value) => {
    if (name === 'scopes') return { ...value, items: { type: 'string', enum: [...Object.keys(SCOPES), ...names.map(subscription)] } }
    if (name === 'trigger') return { ...value, enum: names }
    return value
  })
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`
}
