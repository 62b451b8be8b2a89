// An app as people and programs see it: what it may do, what it adds, and what of it is set. Never a secret.
import type { Manifest } from './manifest/shape.ts'
import { missingSettings } from './settings.ts'
import type { Row } from './store.ts'

/** The public JSON. */
export function rendered(row: Row, manifest: Manifest): string {
  const { resources = [], skills = [], views = [], knowledge = [], flows = [] } = manifest
  return JSON.stringify({
    object: 'app',
    id: row.id,
    full_id: row.app_id,
    name: manifest.name,
    description: manifest.description ?? null,
    author: manifest.author,
    version: manifest.version,
    revision: row.revision,
    status: row.state,
    missing_config: missingSettings(manifest, row),
    scopes: row.scopes,
    credential: { mode: row.credential_mode, set: row.credential !== null, updated_at: row.credential_set_at?.toISOString() ?? null },
    config: settingsShown(row, manifest),
    resources: resources.map(({ id, name, fields }) => ({
      id,
      full_id: `${row.app_id}:${id}`,
      name,
      fields: fields.map(each => each.name),
    })),
    skills: skills.map(({ id, name }) => ({ id, name })),
    views: views.map(({ id, name, target }) => ({ id, name, target })),
    knowledge: knowledge.map(({ id, title }) => ({ id, title })),
    flows: flows.map(({ id, name, trigger, enabled = true }) => ({ id, name, trigger, enabled })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })
}

function settingsShown({ config, secrets_set }: Row, { config: declared = [] }: Manifest): object[] {
  return declared.map(({ key, type, required = false }) => {
    if (type !== 'secret') return { key, type, required, value: Object.hasOwn(config, key) ? config[key] : null }
    const updated = Object.hasOwn(secrets_set, key) ? secrets_set[key] : undefined
    return { key, type, required, set: updated !== undefined, updated_at: updated ?? null }
  })
}
