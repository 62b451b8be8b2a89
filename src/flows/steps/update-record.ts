// Changes the record of the app's own that has an external_id.
import { changeByExternalId } from '../../records/records.ts'
import { render, renderText } from '../language/render.ts'
import { refuseUnfit } from './external-id.ts'
import type { LocalStep } from './local.ts'

export const updateRecord: LocalStep<'update_record', { resource: string; external_id: string; values: Record<string, unknown> }> = {
  render: ({ resource, external_id, values }, around) => ({
    resource,
    external_id: renderText(external_id, around, 'external_id'),
    values: render(values, around, 'values') as Record<string, unknown>,
  }),
  async act({ tx, caller, app }, { resource, external_id, values }) {
    refuseUnfit(external_id)
    return { output: await changeByExternalId(tx, caller, `${app.app_id}:${resource}`, external_id, values) }
  },
}
