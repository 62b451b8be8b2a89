// The skills that the assistant may call: those of active apps.
import { activeApps } from '../apps/installed.ts'
import type { Queryable } from '../postgres/sql.ts'

export interface Offered {
  /** `app_…` */
  app_id: string
  skill_id: string
  /** What a model calls it by: unique in the workspace, for two apps may name a skill alike. */
  slug: string
  name: string
  /** An instruction to the model. */
  description: string
  inputSchema: Record<string, unknown>
}

/** In the order of their apps' installation. */
export async function offered(sql: Queryable, tenant: string): Promise<Offered[]> {
  const apps = await activeApps(sql, tenant)
  const taken = new Set<string>()
  return apps.flatMap(({ id: app_id, manifest }) =>
    (manifest.skills ?? []).map(({ id, name, description, inputSchema }) => ({
      app_id,
      skill_id: id,
      slug: slugOf(manifest.id, id, taken),
      name,
      description,
      inputSchema,
    })),
  )
}

/** What providers of models allow in a tool's name: letters, digits, hyphens and underscores … */
const NOT_IN_NAMES = /[^A-Za-z0-9_-]/g
/** … and so many of them. */
const SLUG_CHARS = 64

/** Two that come out alike are numbered. */
function slugOf(app: string, skill: string, taken: Set<string>): string {
  const wanted = `${app.split(':')[1]}__${skill}`.replaceAll(NOT_IN_NAMES, '_')
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `_${number}`
    const slug = wanted.slice(0, SLUG_CHARS - end.length) + end
    if (taken.has(slug)) continue
    taken.add(slug)
    return slug
  }
}
