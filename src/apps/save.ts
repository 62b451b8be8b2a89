// An app's row, and what follows from it wherever it is written: its document, the events that wake its flows and the runs
// that may not go on, and its knowledge.
import { resumeRuns, stopRuns } from '../flows/stop.ts'
import * as knowledge from '../knowledge/knowledge.ts'
import type { Tx } from '../postgres/sql.ts'
import { type Installed, installedOf } from './installed.ts'
import type { Flow, Manifest } from './manifest/shape.ts'
import type { State } from './schema.ts'
import { missingSettings } from './settings.ts'
import { rendered } from './shown.ts'
import * as store from './store.ts'

export async function save(tx: Tx, row: store.Row, manifest: Manifest): Promise<Installed> {
  if (row.state === 'active') await resumeRuns(tx, row)
  await store.save(tx, row, rendered(row, manifest))
  await store.setTriggers(tx, row, triggersOf(row, manifest))
  if (row.state === 'disabled' || row.state === 'uninstalled') await stopRuns(tx, row, `app_${row.state}`)
  else
    await stopRuns(
      tx,
      row,
      'flow_disabled',
      enabledFlows(manifest).map(({ id }) => id),
    )
  if (isHidden(row)) await knowledge.removeOfApp(tx, row.tenant, row.id)
  else await knowledge.replaceOfApp(tx, row.tenant, row.id, manifest.knowledge ?? [])
  return installedOf(row, manifest)
}

/** The state of an app that is not disabled. */
export const stateBySettings = (manifest: Manifest, row: Pick<store.Row, 'config' | 'secrets_set'>): State =>
  missingSettings(manifest, row).length > 0 ? 'needs_config' : 'active'

const isHidden = ({ state }: store.Row): boolean => state === 'disabled' || state === 'uninstalled'

/** The types of events that enabled flows begin with; none where no run may begin. */
const triggersOf = ({ state }: store.Row, manifest: Manifest): string[] =>
  state === 'active' ? [...new Set(enabledFlows(manifest).map(({ trigger }) => trigger))] : []

const enabledFlows = ({ flows = [] }: Manifest): Flow[] => flows.filter(({ enabled = true }) => enabled)
