// Whether an app may still do what a step does. A run ends on the revision that it began with, and an upgrade may have given up a scope of that one.
import { installedApp } from '../../apps/installed.ts'
import { scopesOfStep } from '../../apps/manifest/scopes.ts'
import type { Step } from '../../apps/manifest/shape.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Failure, Stepping } from './stepping.ts'

/** What an app was granted is read again after a step that took long: a call, mostly. */
const FRESH_MS = 500

/** @returns why the step may not be done, where a scope that it needs was given up */
export async function givenUp(sql: Sql, stepping: Stepping, step: Step): Promise<Failure | undefined> {
  const needed = scopesOfStep(step, stepping.reads)
  if (needed.length === 0) return undefined
  const { granted, run } = stepping
  if (performance.now() - granted.readAt > FRESH_MS) {
    granted.readAt = performance.now()
    granted.scopes = (await installedApp(sql, run.tenant, run.app_id))?.scopes ?? []
  }
  const lacking = needed.find(scope => !granted.scopes.includes(scope))
  return (
    lacking && {
      code: 'not_granted',
      message: `This step needs the scope ${lacking}, which an upgrade of the app has given up since the run began.`,
    }
  )
}
