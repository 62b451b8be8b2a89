// What a visitor of web chat did, as it is kept until it is applied. It is written by src/chat/ alone, which has checked it.
import { type Static, Type } from 'typebox'

const Text = Type.String({ minLength: 1 })

export const WebUpdate = Type.Object({
  type: Type.Enum(['message', 'seen']),
  /** `vis_…` */
  visitor: Text,
  at: Text,
  /** The script's own id of a message. With neither text nor file it only says who writes. */
  id: Type.Optional(Text),
  text: Type.Optional(Text),
  attachments: Type.Optional(Type.Array(Type.Object({ id: Text }))),
  choice_id: Type.Optional(Text),
  /** What they typed. */
  name: Type.Optional(Text),
  email: Type.Optional(Text),
  page: Type.Optional(Text),
  /** What the shop has signed. */
  identity: Type.Optional(
    Type.Object({ external_id: Type.Optional(Text), email: Type.Optional(Text), name: Type.Optional(Text), phone: Type.Optional(Text) }),
  ),
  /** The time of the last message that was seen. */
  until: Type.Optional(Text),
})
export type WebUpdate = Static<typeof WebUpdate>
