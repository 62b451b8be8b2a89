// A process that calls skills as a worker does, and is told by its parent which. It may be killed at any moment.
import { pino } from 'pino'
import { createClient } from '../../src/outbound/client.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { standUp } from '../../src/queue/standing.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import type { Asked } from '../../src/skills/asking.ts'
import { call } from '../../src/skills/call.ts'
import { createPlaces } from '../../src/skills/places.ts'

export interface Question extends Omit<Asked, 'signal'> {
  number: number
}

const [databaseUrl = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { name: 'shopdesk caller' })
const client = createClient({ allowPrivate: true, allowOrigins: [] })
const never = new AbortController().signal
const standing = await standUp(databaseUrl, pino({ level: 'silent' }), never)
const context = {
  sql: db.sql,
  client,
  keyring: parseKeyring('5e'.repeat(32)) as Keyring,
  standing,
  stopping: never,
  places: createPlaces(100),
  timeoutMs: 20_000,
}

process.on('message', async (questions: Question[]) => {
  for (const { number, ...asked } of questions)
    void call(context, { ...asked, signal: never }).then(
      called => process.send?.({ number, called }),
      error => process.send?.({ number, error: String(error) }),
    )
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
