// Makes a record of the app's own, linked to what the event is about. One that has the external_id already is left as it is: the step succeeds, and says so.
import type { Entity } from '../../apps/manifest/subjects.ts'
import { create } from '../../records/records.ts'
import { render, renderText } from '../language/render.ts'
import { subjectOf } from '../language/subject.ts'
import { refuseUnfit } from './external-id.ts'
import type { LocalStep } from './local.ts'

interface Input {
  resource: string
  values: Record<string, unknown>
  external_id?: string
}

export const createRecord: LocalStep<'create_record', Input> = {
  render: ({ resource, values, external_id }, around) => ({
    resource,
    values: render(values, around, 'values') as Record<string, unknown>,
    ...(external_id !== undefined && { external_id: renderText(external_id, around, 'external_id') }),
  }),
  async act({ tx, caller, app, around }, { resource, values, external_id }) {
    if (external_id !== undefined) refuseUnfit(external_id)
    const links = LINKED.flatMap(entity => {
      const id = subjectOf(around, entity)
      return id === undefined ? [] : [{ target: `builtin:${entity}` as const, id }]
    })
    const { created, record } = await create(tx, caller, `${app.app_id}:${resource}`, { values, external_id, links })
    return { output: { ...record, created } }
  },
}

const LINKED = ['contact', 'order', 'product'] as const satisfies Entity[]
