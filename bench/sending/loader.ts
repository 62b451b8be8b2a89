// Writes replies over REST at a pace, and reports when each was answered.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Committed } from '../deliver/loader.ts'
import { clockMs } from '../deliver/processes.ts'

export interface Talk {
  tenant: string
  conversation: string
}

/** So many replies a second for so long, one in each talk before the first has another. */
export interface Load {
  /** The web process's. */
  address: string
  talks: Talk[]
  /** Each workspace's keys, used in turn: a key may write 120 times a minute. */
  keys: Record<string, string[]>
  text: string
  rate: number
  ms: number
}

const CONNECTIONS = 64

let pool: Pool | undefined
const written = new Map<string, number>()

process.on('message', async ({ address, talks, keys, text, rate, ms }: Load) => {
  pool ??= new Pool(address, { connections: CONNECTIONS })
  const at = pool
  const answered: Committed = []
  const under: Promise<void>[] = []
  const from = clockMs()
  const count = Math.floor((rate * ms) / 1000)
  for (let i = 0; i < count; i++) {
    // By the clock and not by the last one's end: a slow moment is caught up, and waiting counts.
    const early = from + (i * ms) / count - clockMs()
    if (early > 1) await delay(early)
    const talk = talks[i % talks.length] as Talk
    const own = keys[talk.tenant] as string[]
    // Each workspace counts for itself: by one count for all, workspaces that come in turn would use but some of their keys.
    const turn = written.get(talk.tenant) ?? 0
    written.set(talk.tenant, turn + 1)
    const key = own[turn % own.length] as string
    under.push(say(at, talk, key, `${text}${i} ${Math.random()}`).then(each => void answered.push(each)))
  }
  await Promise.all(under)
  process.send?.(answered)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

/** @returns the message's id, and when its answer was there */
async function say(at: Pool, { conversation }: Talk, key: string, text: string): Promise<Committed[number]> {
  const { statusCode, body } = await at.request({
    method: 'POST',
    path: `/api/v1/conversations/${conversation}/messages`,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  const answer = await body.text()
  const when = clockMs()
  if (statusCode !== 201) throw new Error(`a reply was answered with ${statusCode}: ${answer}`)
  return [(JSON.parse(answer) as { id: string }).id, when]
}
