// Places orders at a pace: at random moments, as customers come, by the clock and not by the end of the last request. A request that finds all
// connections taken waits, and its wait counts.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { clockMs } from '../deliver/processes.ts'

export interface Order {
  path: string
  headers: Record<string, string>
  body: string
}

export interface Pace {
  /** Taken in turn, also across paces. */
  orders: Order[]
  /** Each second, on average. */
  rate: number
  ms: number
}

const [address = ''] = process.argv.slice(2)
const pool = new Pool(address, { connections: 64 })
let turn = 0

/** Answers with milliseconds from each request to the end of its answer. */
process.on('message', async ({ orders, rate, ms }: Pace) => {
  const took: number[] = []
  const under = new Set<Promise<void>>()
  const from = clockMs()
  for (let at = from; at < from + ms; at += (-Math.log(1 - Math.random()) * 1000) / rate) {
    const early = at - clockMs()
    if (early > 1) await delay(early)
    const one = place(orders[turn++ % orders.length] as Order, took).finally(() => under.delete(one))
    under.add(one)
  }
  await Promise.all(under)
  process.send?.(took)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function place(order: Order, took: number[]): Promise<void> {
  const began = clockMs()
  const { statusCode, body } = await pool.request({ method: 'POST', ...order })
  const text = await body.text()
  if (statusCode !== 201) throw new Error(`an order was not placed: ${statusCode} ${text}`)
  took.push(clockMs() - began)
}
