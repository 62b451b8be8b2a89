// Tells the team.
import { notify as tellTeam } from '../../notifications/notifications.ts'
import { renderText } from '../language/render.ts'
import type { LocalStep } from './local.ts'

export const notify: LocalStep<'notify', { title: string; body: string; level: 'info' | 'warning' }> = {
  render: ({ title, body, level = 'info' }, around) => ({
    title: renderText(title, around, 'title'),
    body: renderText(body, around, 'body'),
    level: level as 'info' | 'warning',
  }),
  async act({ tx, caller, app }, input) {
    const { id } = await tellTeam(tx, caller, { app: { id: app.id, name: app.name }, ...input })
    return { output: { notification_id: id } }
  },
}
