import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { FILE_NAME_CHARS } from '../limits/attachments.ts'
import { choice, nullable, Time, Url } from '../schemas.ts'

export const TYPES = ['image', 'video', 'audio', 'file'] as const
export type FileType = (typeof TYPES)[number]
const STATUSES = ['pending', 'stored', 'failed'] as const

export const AttachmentId = Type.String({ pattern: idPattern('att') })

const Failure = Type.Object({
  code: Type.String({ description: 'Why, for programs. New ones may be added.' }),
  message: Type.String({ description: 'Why, for people.' }),
})
export type Failure = Static<typeof Failure>

const fields = {
  id: AttachmentId,
  type: choice(TYPES, { description: 'By what the file holds, whatever its sender called it.' }),
  url: Url,
  mime_type: Type.String(),
  size_bytes: nullable(Type.Integer({ minimum: 0 }), { description: 'Null until it is known.' }),
  name: nullable(Type.String()),
  status: choice(STATUSES, { description: 'pending: it is being fetched from the platform.' }),
  error: nullable(Failure, { description: 'Why it could not be had.' }),
}

/** A file as a message shows it. */
export const MessageFile = Type.Object(fields)
export type MessageFile = Static<typeof MessageFile>

export const Attachment = Type.Object({ object: Type.Literal('attachment'), ...fields, created_at: Time }, { title: 'Attachment' })

export type Attachment = Static<typeof Attachment>

export const NewAttachment = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FILE_NAME_CHARS,
      description: 'The name of the file, such as invoice.pdf, as the customer is to see it.',
    }),
  ),
})

export const AttachmentPending = conflict('attachment_pending')
export const AttachmentSent = conflict('attachment_sent')
