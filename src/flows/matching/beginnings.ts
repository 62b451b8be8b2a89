// What an event may begin in a workspace: the enabled flows of its type, with their conditions made ready. Worked out anew when one of the apps has changed,
// for most events begin none of a thousand flows, and looking must cost little then.
import { manifestOf } from '../../apps/installed.ts'
import type { TriggerType } from '../../apps/manifest/flow-shapes.ts'
import type { Flow, Manifest } from '../../apps/manifest/shape.ts'
import { BEGINNINGS_KEPT_CHARS, FORESEEN_FLOWS_MAX, FORESEEN_MANIFESTS_BYTES } from '../../limits/flows.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { boundOf, type Held, heldBy } from '../language/conditions.ts'
import { lookup, type Surroundings } from '../language/lookup.ts'
import { shapeOf } from '../language/shape.ts'
import { candidates, type Prepared, type Sieve, sieveOf } from './sieve.ts'
import * as store from './store.ts'

export interface Beginnings {
  /** What the conditions look at, each path once. */
  paths: string[]
  flows: Sieve<Beginning>
}

/** A flow that begins where its conditions hold. */
export interface Beginning {
  app: { id: string; revision: number }
  id: string
  conditions: Prepared[]
  /** Those of settings, which are only read where all others hold. */
  ofSettings: { path: string; held: Held }[]
}

/** An app that begins with a type of event, as it is now. */
interface AppAt {
  id: string
  revision: number
}

interface Kept {
  /** The version of the workspace's apps. */
  version: string
  beginnings: Beginnings
  chars: number
}

/** By workspace and type, the latest used last. */
const kept = new Map<string, Kept>()
let keptChars = 0

interface At {
  tenant: string
  type: string
}

/** What is kept, of whatever version. */
export function beginningsKept({ tenant, type }: At): Kept | undefined {
  const key = `${tenant} ${type}`
  const found = kept.get(key)
  if (!found) return undefined
  kept.delete(key)
  kept.set(key, found)
  return found
}

/** @param version of the workspace's apps, as it is now */
export async function beginningsOf(
  sql: Queryable,
  { tenant, type, version }: At & { version: string },
  triggers: readonly TriggerType[],
): Promise<Beginnings> {
  const before = beginningsKept({ tenant, type })
  return before?.version === version ? before.beginnings : prepare(sql, { tenant, type }, triggers)
}

/** Keeps what begins as it is now, unless that takes too much for a process that only looks ahead. */
export async function refresh(sql: Queryable, at: At, triggers: readonly TriggerType[]): Promise<void> {
  const { version, bytes } = await store.weightOf(sql, at.tenant, at.type)
  if (beginningsKept(at)?.version === version) return
  if (bytes <= FORESEEN_MANIFESTS_BYTES) await prepare(sql, at, triggers)
}

/** Reads what begins, and keeps it. The version is read with it: apps that change meanwhile give another. */
async function prepare(sql: Queryable, { tenant, type }: At, triggers: readonly TriggerType[]): Promise<Beginnings> {
  const { version, apps } = await store.beginning(sql, tenant, type)
  const manifests = await Promise.all(
    appsIn(apps ?? '').map(async app => ({ app, manifest: await manifestOf(sql, tenant, app.id, app.revision) })),
  )
  const made = compiled(manifests, type, triggers)
  keep(`${tenant} ${type}`, { version, ...made })
  return made.beginnings
}

function appsIn(text: string): AppAt[] {
  const words = text.split(' ')
  return Array.from({ length: Math.floor(words.length / 2) }, (_, i) => ({
    id: words[2 * i] as string,
    revision: Number(words[2 * i + 1]),
  }))
}

/** @returns also how much text it was made of */
function compiled(
  apps: { app: AppAt; manifest: Manifest | undefined }[],
  type: string,
  triggers: readonly TriggerType[],
): { beginnings: Beginnings; chars: number } {
  const places = new Map<string, number>()
  const placeOf = (path: string): number => {
    if (!places.has(path)) places.set(path, places.size)
    return places.get(path) as number
  }
  const beginning = (app: AppAt, manifest: Manifest, flow: Flow): Beginning => {
    const held = (flow.conditions ?? []).map(condition => ({
      path: condition.field,
      held: heldBy(condition, shapeOf(manifest, flow, triggers)),
      bound: boundOf(condition),
    }))
    const [ofSettings, others] = [held.filter(each => isOfSettings(each.path)), held.filter(each => !isOfSettings(each.path))]
    return { app, id: flow.id, conditions: others.map(each => ({ ...each, path: placeOf(each.path) })), ofSettings }
  }
  let chars = 0
  const flows = apps.flatMap(({ app, manifest }) =>
    (manifest?.flows ?? [])
      .filter(({ trigger, enabled = true }) => enabled && trigger === type)
      .map(flow => {
        chars += FLOW_CHARS + JSON.stringify(flow.conditions ?? []).length
        return beginning(app, manifest as Manifest, flow)
      }),
  )
  return { beginnings: { paths: [...places.keys()], flows: sieveOf(flows) }, chars }
}

const isOfSettings = (path: string): boolean => path.startsWith('config.')

/** What a flow takes beside its conditions, as characters. */
const FLOW_CHARS = 200

function keep(key: string, made: Kept): void {
  keptChars -= kept.get(key)?.chars ?? 0
  kept.delete(key)
  for (const [oldest, { chars }] of kept) {
    if (keptChars + made.chars <= BEGINNINGS_KEPT_CHARS) break
    kept.delete(oldest)
    keptChars -= chars
  }
  keptChars += made.chars
  kept.set(key, made)
}

/** Whether an event may begin any of the flows, as far as is seen at little cost and without settings. */
export function mayBegin({ paths, flows }: Beginnings, around: Surroundings): boolean {
  if (flows.others.length > FORESEEN_FLOWS_MAX) return true
  const met = paths.map(path => lookup(around, path))
  const found = candidates(flows, met)
  return found.length > FORESEEN_FLOWS_MAX || found.some(({ conditions }) => conditions.every(({ path, held }) => held(met[path])))
}

/**
 * The flows that begin.
 * @param around what the event is; without settings
 * @param settingsOf those of an app, without secrets
 */
export async function begun(
  { paths, flows }: Beginnings,
  around: Surroundings,
  settingsOf: (app: string) => Promise<Record<string, unknown>>,
): Promise<Beginning[]> {
  const met = paths.map(path => lookup(around, path))
  const found = candidates(flows, met).filter(({ conditions }) => conditions.every(({ path, held }) => held(met[path])))
  if (found.every(({ ofSettings }) => ofSettings.length === 0)) return found
  const settings = new Map<string, Record<string, unknown>>()
  const fitting: Beginning[] = []
  for (const each of found) {
    const { app, ofSettings } = each
    if (ofSettings.length > 0 && !settings.has(app.id)) settings.set(app.id, await settingsOf(app.id))
    const config = settings.get(app.id) ?? {}
    if (ofSettings.every(({ path, held }) => held(lookup({ ...around, config }, path)))) fitting.push(each)
  }
  return fitting
}
