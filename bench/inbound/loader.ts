// Customers who write at random moments, and operators who watch: one stream for each shop. Times each message from before its request is sent to its line.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { signWebhook } from '../../src/outbound/sign.ts'
import { clockMs } from '../deliver/processes.ts'
import { type Channel, type Shop, said } from './shops.ts'

export interface LinesAsked {
  shops: Shop[]
  address: string
  bare: boolean
  /** Each second, on average. */
  rate: number
  ms: number
  /** The number of the first message. */
  first: number
  /** Only this many customers write, the first ones, who have conversations by now. */
  met?: number
}

const CUSTOMERS = 5_000
/** A message that has no line by then is lost. */
const LATE_MS = 10_000

process.on('message', async (asked: LinesAsked) => process.send?.(await run(asked)))
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function run({ shops, address, bare, rate, ms, first, met }: LinesAsked): Promise<number[]> {
  const pool = new Pool(address, { connections: 64 })
  const sent = new Map<number, number>()
  const took: number[] = []
  const hear = (text: string): void => {
    for (const [, number] of text.matchAll(/Message (\d+):/g)) {
      const began = sent.get(Number(number))
      if (began === undefined) continue
      sent.delete(Number(number))
      took.push(clockMs() - began)
    }
  }
  const leaving = new AbortController()
  await Promise.all(shops.map(shop => watch(shop, address, bare, hear, leaving.signal)))
  const channels = shops.flatMap(shop => shop.channels)
  const under = new Set<Promise<void>>()
  const from = clockMs()
  let n = first
  for (let at = from; at < from + ms; at += (-Math.log(1 - Math.random()) * 1000) / rate) {
    const early = at - clockMs()
    if (early > 1) await delay(early)
    n++
    const customer = met === undefined ? n % CUSTOMERS : 1 + (n % Math.min(met, CUSTOMERS - 1))
    const one = say(pool, channels[customer % channels.length] as Channel, said(n, customer), bare, () => sent.set(n, clockMs()))
    const done = one.finally(() => under.delete(done))
    under.add(done)
  }
  await Promise.all(under)
  for (const until = clockMs() + LATE_MS; sent.size > 0 && clockMs() < until; ) await delay(20)
  if (sent.size > 0) throw new Error(`${sent.size} messages have no line`)
  leaving.abort()
  await pool.destroy()
  return took
}

async function say(pool: Pool, { tenant, id, secret }: Channel, body: string, bare: boolean, now: () => void): Promise<void> {
  const signature = signWebhook([secret], Math.floor(Date.now() / 1000), body)
  now()
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path: bare ? `/${tenant}/${id}` : `/api/channels/${id}/callback`,
    headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signature },
    body,
  })
  await answer.dump()
  if (statusCode !== 200) throw new Error(`a callback was not taken: ${statusCode}`)
}

async function watch(
  { tenant, key }: Shop,
  address: string,
  bare: boolean,
  hear: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = bare ? `/${tenant}/live` : '/api/v1/conversations/live'
  const response = await fetch(address + path, { headers: { Authorization: `Bearer ${key}` }, signal })
  if (!response.ok || !response.body) throw new Error(`a stream was refused: ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  await reader.read()
  void listen(reader, hear).catch(error => {
    if (!signal.aborted) throw error
  })
}

async function listen(reader: ReadableStreamDefaultReader<string>, hear: (text: string) => void): Promise<void> {
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error('a stream ended')
    // An event may come in pieces.
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) hear(event)
  }
}
