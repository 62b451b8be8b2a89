import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { choice, nullable, Time } from '../schemas.ts'

const LEVELS = ['info', 'warning'] as const

export const Notification = Type.Object(
  {
    object: Type.Literal('notification'),
    id: Type.String({ pattern: idPattern('ntf') }),
    app: Type.Object({ id: Type.String({ pattern: idPattern('app') }), name: Type.String() }, { description: 'The app that tells it.' }),
    run_id: nullable(Type.String({ pattern: idPattern('run') }), { description: 'The run of its flow.' }),
    level: choice(LEVELS, { description: 'A warning is mailed to the admins too.' }),
    title: Type.String(),
    body: Type.String(),
    created_at: Time,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>
