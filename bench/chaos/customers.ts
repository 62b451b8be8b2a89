// Customers who write by WhatsApp, and a shop that answers over REST: each as a careful sender does it, again until it is taken.
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../test/support/random.ts'
import type { Shop } from './environment.ts'

export const ACCOUNT = '4711'
export const APP_SECRET = 'the-app-secret'
/** What is told at once. */
const TOLD_AT_ONCE = 16
const SAID_AT_ONCE = 8
const AGAIN_MS = 200
/** A message comes before one that is so many older, at most. */
const REORDERED = 20
const REPEATED_SHARE = 0.1

/** What the platform tells, and until when it has to wait with it. */
export interface Callback {
  id: string
  /** The customer, and the time of the message by the platform's clock, in seconds since 1970. */
  from: string
  at: number
  body: string
}

export interface Talking {
  origin: string
  shop: Shop
  channel: string
  /** Each answer with 500. */
  bugs: string[]
}

/** The k-th message of a customer has a second of its own, so that the platform's order is known. */
export function question(from: string, n: number, at: number, account = ACCOUNT): Callback {
  const id = `wamid.in.${n}`
  const contacts = [{ profile: { name: `Customer ${from}` }, wa_id: from }]
  const messages = [{ from, id, timestamp: String(at), type: 'text', text: { body: `Question ${n}` } }]
  return { id, from, at, body: call({ contacts, messages }, account) }
}

export function delivered(to: string, id: string, ours: string, at: number): Callback {
  const statuses = [{ id, status: 'delivered', timestamp: String(at), recipient_id: to, biz_opaque_callback_data: ours }]
  return { id: `status ${id}`, from: to, at, body: call({ statuses }) }
}

const call = (value: object, account = ACCOUNT): string => {
  const whole = { messaging_product: 'whatsapp', metadata: { phone_number_id: account }, ...value }
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value: whole }] }] })
}

/** Neighbours change places, and every tenth comes twice. */
export const shuffledAndRepeated = (all: Callback[], random: Random): Callback[] =>
  all
    .flatMap(each => (random.next() < REPEATED_SHARE ? [each, each] : [each]))
    .map((each, i) => ({ each, place: i + random.between(0, REORDERED) }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each)

/** Lets a load out in portions. */
export interface Gate {
  /** Resolves when this share of the load may go. @param share 0..1 */
  passed(share: number): Promise<void>
  open(share: number): void
}

export function gate(): Gate {
  let [opened, next] = [0, Promise.withResolvers<void>()]
  return {
    async passed(share) {
      while (share > opened) await next.promise
    },
    open(share) {
      opened = share
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

const OPEN: Gate = { passed: async () => {}, open: () => {} }

/** Delivers each until it has a 2xx. @returns what was acknowledged, in the order in which it was first */
export async function tellAll(at: Talking, callbacks: Callback[], load: Gate = OPEN): Promise<Map<string, Callback>> {
  const next = callbacks.entries()
  const told = new Map<string, Callback>()
  const one = async (): Promise<void> => {
    for (const [n, callback] of next) {
      await load.passed((n + 1) / callbacks.length)
      const signature = `sha256=${createHmac('sha256', APP_SECRET).update(callback.body).digest('hex')}`
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature }
      await untilTaken(at, `/api/channels/${at.channel}/callback`, headers, callback.body)
      if (!told.has(callback.id)) told.set(callback.id, callback)
    }
  }
  await Promise.all(Array.from({ length: TOLD_AT_ONCE }, one))
  return told
}

/** Writes answers, numbered in the order written within each conversation, each under a key of its own until it is taken. @returns how many */
export async function sayAll(at: Talking, conversations: string[], answers: number, load: Gate): Promise<number> {
  let [next, said] = [0, 0]
  const one = async (lane: number): Promise<void> => {
    // A conversation's answers are written by one lane, so that their order is known.
    const mine = conversations.filter((_, i) => i % SAID_AT_ONCE === lane)
    while (next < answers) {
      const n = next++
      await load.passed((n + 1) / answers)
      const headers = {
        Authorization: `Bearer ${at.shop.keys[n % at.shop.keys.length]}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `answer-${n}`,
      }
      const id = mine[Math.floor(n / SAID_AT_ONCE) % mine.length]
      await untilTaken(at, `/api/v1/conversations/${id}/messages`, headers, JSON.stringify({ text: `Answer ${n}` }))
      said++
    }
  }
  await Promise.all(Array.from({ length: SAID_AT_ONCE }, (_, lane) => one(lane)))
  return said
}

/** A duplicate of what was taken is answered with 409; while the first is under way it says so, and is asked again. */
async function untilTaken({ origin, bugs }: Talking, path: string, headers: Record<string, string>, body: string): Promise<void> {
  for (;;) {
    const response = await fetch(origin + path, { method: 'POST', headers, body }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response?.ok && text !== undefined) return
    if (response?.status === 409 && text?.includes('duplicate_idempotency_key')) return
    if (response?.status === 500) bugs.push(`${path}: ${text}`)
    if (response && response.status < 500 && response.status !== 429 && response.status !== 409)
      throw new Error(`${response.status}: ${text}`)
    await delay(Number(response?.headers.get('retry-after') ?? 0) * 1000 || AGAIN_MS)
  }
}
