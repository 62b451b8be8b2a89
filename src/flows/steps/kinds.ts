// The kinds of steps that act here. A call and a wait are no such: see ../running/.
import type { Step } from '../../apps/manifest/shape.ts'
import { createRecord } from './create-record.ts'
import type { LocalStep } from './local.ts'
import { notify } from './notify.ts'
import { sendMessage } from './send-message.ts'
import { tagContact } from './tag-contact.ts'
import { updateRecord } from './update-record.ts'

const KINDS = {
  create_record: createRecord,
  update_record: updateRecord,
  tag_contact: tagContact,
  send_message: sendMessage,
  notify,
} as const

/** A step of one of these kinds. */
export type Local = Extract<Step, { type: keyof typeof KINDS }>

export const isLocal = (step: Step): step is Local => step.type in KINDS

export const kindOf = (step: Local): LocalStep<Local['type'], unknown> => KINDS[step.type] as unknown as LocalStep<Local['type'], unknown>
