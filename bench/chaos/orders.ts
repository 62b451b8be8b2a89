// A steady load of orders over REST, placed as a careful client does it: with an Idempotency-Key, repeated until there is an answer.
import { setTimeout as delay } from 'node:timers/promises'
import type { Shop } from './environment.ts'

/** An order the service has accepted: it said 201, now or to an earlier request of ours whose answer was lost. */
export interface Accepted {
  /** The client's own number of the order, in its customer's address. */
  n: number
  id: string
}

export interface Orders {
  accepted: Accepted[]
  /** Requests that were not answered, or with 5xx, 429 or "still running" (409): repeated. */
  refused: Record<string, number>
  /** Orders known from the answer to a repeat: the first request was carried out and its answer lost. */
  learnt(): number
  /** Places no further orders, and resolves when every order begun has been accepted. */
  stop(): Promise<void>
}

/** The customer of an order: the email says which order it is. */
export const customerOf = (n: number): string => `order-${n}@chaos.example`

const ANSWER_LIMIT_MS = 20_000
const AGAIN_MS = 250
/** Longer than any outage here: after that something is broken for good. */
const ACCEPTED_LIMIT_MS = 120_000

/** @param origin of the web process. Orders go to the shops in turn, and to their keys in turn. @param first the number of the first order */
export function startOrders(origin: string, shops: Shop[], perSecond: number, first = 0): Orders {
  const accepted: Accepted[] = []
  const refused: Record<string, number> = {}
  const begun: Promise<void>[] = []
  let learnt = 0
  let stopped = false

  async function place(n: number): Promise<void> {
    const shop = shops[n % shops.length] as Shop
    const key = shop.keys[Math.floor(n / shops.length) % shop.keys.length] as string
    for (const until = Date.now() + ACCEPTED_LIMIT_MS; Date.now() < until; await delay(AGAIN_MS)) {
      const answer = await ask(origin, key, n)
      if ('id' in answer) {
        if (answer.learnt) learnt++
        accepted.push({ n, id: answer.id })
        return
      }
      refused[answer.refused] = (refused[answer.refused] ?? 0) + 1
    }
    throw new Error(`order ${n} was not accepted within ${ACCEPTED_LIMIT_MS / 1000} s: ${JSON.stringify(refused)}`)
  }

  const pacing = (async () => {
    const since = performance.now()
    for (let n = 0; !stopped; n++) {
      await delay(Math.max(0, since + (n * 1000) / perSecond - performance.now()))
      const order = place(first + n)
      // Its rejection is reported at the end.
      order.catch(() => {})
      begun.push(order)
    }
  })()
  return {
    accepted,
    refused,
    learnt: () => learnt,
    async stop() {
      stopped = true
      await pacing
      await Promise.all(begun)
    },
  }
}

type Answer = { id: string; learnt: boolean } | { refused: string }

async function ask(origin: string, key: string, n: number): Promise<Answer> {
  const reply = await fetch(`${origin}/api/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': `order-${n}` },
    body: JSON.stringify({ items: [{ name: 'Gift card', unit_amount: 2500, quantity: 1 }], customer: { email: customerOf(n) } }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  })
    .then(async response => ({ status: response.status, body: (await response.json()) as Reply }))
    .catch((error: Error) => error)
  if (reply instanceof Error)
    return { refused: reply.name === 'TimeoutError' ? `no answer within ${ANSWER_LIMIT_MS / 1000} s` : 'connection lost' }
  const { status, body } = reply
  if (status === 201) return { id: body.id, learnt: false }
  if (status === 409 && body.original?.status === 201) return { id: body.original.body.id, learnt: true }
  if (status === 409 || status === 429 || status >= 500) return { refused: String(status) }
  throw new Error(`order ${n} was answered ${status}: ${JSON.stringify(body)}`)
}

interface Reply {
  id: string
  original?: { status: number; body: { id: string } }
}
