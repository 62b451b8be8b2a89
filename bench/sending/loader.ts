// Writes replies at a pace, in the transactions of the product's own route, as a web process does, and reports when each was answered.
import { setTimeout as delay } from 'node:timers/promises'
import { wakeThrough } from '../../src/channels/sending/wake.ts'
import { loadConfig } from '../../src/config.ts'
import { routes } from '../../src/conversations/routes.ts'
import type { NewMessage } from '../../src/conversations/schema.ts'
import type { JsonWrite } from '../../src/ingress/route.ts'
import { writeTransaction } from '../../src/ingress/write-transaction.ts'
import { tellThrough } from '../../src/live/feed.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import type { Committed } from '../deliver/loader.ts'
import { clockMs } from '../deliver/processes.ts'

export interface Talk {
  tenant: string
  conversation: string
}

/** So many replies a second for so long, one in each talk before the first has another. */
export interface Load {
  talks: Talk[]
  text: string
  rate: number
  ms: number
}

const [databaseUrl = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { name: 'shopdesk bench load', lanes: 0 })
const INPUT = {
  innerId: '',
  query: {},
  project: undefined,
  url: '',
  unchanged: () => {},
  unexpected: (error: unknown) => {
    throw error
  },
}
const createMessage = routes(loadConfig()).find(each => each.operationId === 'createMessage') as JsonWrite
const write = writeTransaction(db, createMessage)
const report = (error: unknown): void => {
  throw error
}
setReactions()
const waking = wakeThrough(db.sql, report)
const allTold = tellThrough(db.sql, report)

process.on('message', async ({ talks, text, rate, ms }: Load) => {
  const answered: Committed = []
  const under: Promise<void>[] = []
  const from = clockMs()
  const count = Math.floor((rate * ms) / 1000)
  for (let i = 0; i < count; i++) {
    // By the clock and not by the last one's end: a slow moment is caught up, and waiting counts.
    const early = from + (i * ms) / count - clockMs()
    if (early > 1) await delay(early)
    under.push(say(talks[i % talks.length] as Talk, `${text}${i} ${Math.random()}`).then(id => void answered.push([id, clockMs()])))
  }
  await Promise.all(under)
  await Promise.all([waking.allAwake(), allTold()])
  process.send?.(answered)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function say({ tenant, conversation: id }: Talk, text: string): Promise<string> {
  const input = { ...INPUT, caller: { tenant, actor: { type: 'cli' as const } }, id, body: { text } satisfies NewMessage }
  const { body } = await write({ input, claim: undefined, leaving: new AbortController().signal })
  return JSON.parse(String(body)).id
}
