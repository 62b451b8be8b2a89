// Writes to the customer of the event's conversation, as the app: the assistant is neither paused nor resumed.
import { sayAsApp } from '../../conversations/app-words.ts'
import { renderText } from '../language/render.ts'
import { requireSubject } from '../language/subject.ts'
import type { LocalStep } from './local.ts'

export const sendMessage: LocalStep<'send_message', { text: string }> = {
  render: (step, around) => ({ text: renderText(step.text, around, 'text') }),
  async act({ tx, caller, app, around }, { text }) {
    const { id } = await sayAsApp(tx, caller, requireSubject(around, 'conversation'), { app, text })
    return { output: { message_id: id }, message: id }
  },
}
