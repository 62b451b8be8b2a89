// The screens that apps add to the dashboard, judged again each time they are handed out: what an address leads to may be forbidden since the install.
import type { Queryable } from '../postgres/sql.ts'
import { type Installed, shownApps } from './installed.ts'
import { checkFrameUrl } from './manifest/frame-url.ts'
import type { View } from './manifest/shape.ts'

/** What a view shows; or why it shows nothing, which is shown in its place. */
export type Content =
  | { kind: 'list'; resource: string }
  | { kind: 'frame'; url: string }
  | { kind: 'fault'; code: 'unknown_resource' | 'malformed' | 'private_host' | 'https_required' | 'refused'; reason: string }

export interface ShownView {
  /** `app_…` */
  app: string
  /** The manifest's id. */
  app_id: string
  app_name: string
  id: string
  name: string
  target: View['target']
  content: Content
}

/** The views of the apps of a workspace that are not disabled. @param target where; all, unless it is given */
export async function viewsOf(sql: Queryable, tenant: string, target?: View['target']): Promise<ShownView[]> {
  const apps = await shownApps(sql, tenant)
  return apps.flatMap(app => (app.manifest.views ?? []).filter(view => !target || view.target === target).map(view => shown(app, view)))
}

const shown = (app: Installed, view: View): ShownView => ({
  app: app.id,
  app_id: app.app_id,
  app_name: app.name,
  id: view.id,
  name: view.name,
  target: view.target,
  content: contentOf(app, view),
})

const LIST = 'list:'
const CUSTOM = 'custom:'

function contentOf({ app_id, manifest: { resources = [] } }: Installed, { component }: View): Content {
  if (component.startsWith(CUSTOM)) return frameOf(component.slice(CUSTOM.length))
  const id = component.slice(LIST.length)
  if (resources.some(each => each.id === id)) return { kind: 'list', resource: `${app_id}:${id}` }
  return { kind: 'fault', code: 'unknown_resource', reason: `This view lists ${id}, which the app does not have.` }
}

function frameOf(url: string): Content {
  const problem = checkFrameUrl(url)
  if (!problem) return { kind: 'frame', url }
  const known = (['malformed', 'private_host', 'https_required'] as const).find(code => code === problem.code)
  return { kind: 'fault', code: known ?? 'refused', reason: `The address of this view may not be shown: it ${problem.message}` }
}
