// The generic format as JSON Schemas, for programs that join a messenger: docs/channels/*.schema.json.
import { Type } from 'typebox'
import { ApiUpdate, REQUIRED, TYPES } from './schema.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** What is called back, with what each type must have. */
export const updateSchema = (): object => ({
  $schema: DRAFT,
  description: 'What is sent to the callback’s address of a channel of platform api.',
  ...plain(ApiUpdate),
  allOf: TYPES.map(type => ({
    if: { properties: { type: { const: type } }, ...(type !== 'message' && { required: ['type'] }) },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
    then: { allOf: REQUIRED[type].map(members => ({ anyOf: members.map(member => ({ required: [member] })) })) },
  })),
})

const Named = { id: Type.String(), name: Type.Optional(Type.String()) }

/** What is sent to `send_url`. Members may be added to it. */
const Message = Type.Object({
  type: Type.Literal('message'),
  id: Type.String({ description: 'Ours, msg_…; the Idempotency-Key too: a repeat has the same.' }),
  conversation_id: Type.String(),
  to: Type.Object(Named, { description: 'The customer, by the id that you gave as from.id.' }),
  text: Type.Optional(Type.String()),
  attachments: Type.Array(
    Type.Object({
      type: Type.Enum(['image', 'video', 'audio', 'file']),
      name: Type.Optional(Type.String()),
      mime_type: Type.String(),
      size_bytes: Type.Integer(),
      url: Type.String({ description: 'Signed: it opens the file without a key, for 7 days.' }),
    }),
  ),
  choices: Type.Optional(Type.Array(Type.Object({ id: Type.String(), title: Type.String() }))),
  location: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
  in_reply_to: Type.Optional(Type.String({ description: 'The quoted message, by your id of it.' })),
  created_at: Type.String({ format: 'date-time' }),
})

export const messageSchema = (): object => ({ $schema: DRAFT, title: 'ChannelMessage', ...plain(Message) })

const plain = (schema: object): object => JSON.parse(JSON.stringify(schema)) as object
