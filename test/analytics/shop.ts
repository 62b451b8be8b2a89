// A shop whose history is made by the verbs themselves, at any time: the clock that they read can be moved.
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../src/caller.ts'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { now } from '../../src/clock.ts'
import { apply } from '../../src/conversations/apply.ts'
import { heldOf, setHeld, write } from '../../src/conversations/change.ts'
import { changed as changeConversation } from '../../src/conversations/conversations.ts'
import { open } from '../../src/conversations/open.ts'
import { reply } from '../../src/conversations/reply.ts'
import { resend } from '../../src/conversations/resend.ts'
import { recordSends } from '../../src/conversations/sent.ts'
import { beginTurn, speak } from '../../src/conversations/speak.ts'
import type { Update } from '../../src/conversations/update.ts'
import { canMove, STATUSES } from '../../src/orders/lifecycle.ts'
import { change } from '../../src/orders/orders.ts'
import { placeAll } from '../../src/orders/place.ts'
import type { Order } from '../../src/orders/schema.ts'
import { applyAll } from '../../src/payments/ledger/apply.ts'
import * as byHand from '../../src/payments/ledger/by-hand.ts'
import type { PaymentUpdate } from '../../src/payments/reading/update.ts'
import { begin, type Sql, type Tx } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { createAll } from '../../src/products/products.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import type { Random } from '../support/random.ts'

export interface Shop {
  tenant: string
  /** Does one thing that may happen in a shop. @returns what it was */
  step(): Promise<string>
}

const SKUS = ['SHIRT', 'HAT', 'MUG', 'SOCKS', 'CARD', 'BELT', 'SCARF']
const SOURCE = { id: 'pay_01jz0000000000000000000000', provider: 'generic' } as const

export async function aShop(sql: Sql, timeZone: string, random: Random): Promise<Shop> {
  const { id: tenant } = await createTenant(sql, { name: 'Shop', plan: 'enterprise', currency: 'EUR', timeZone })
  const caller: Caller = { tenant, actor: { type: 'system' } }
  const done = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => begin(sql, work)
  // Cards cost nothing.
  const products = SKUS.map(sku => ({ sku, name: `The ${sku}`, price_amount: sku === 'CARD' ? 0 : 100 + sku.length * 37 }))
  await done(tx => createAll(tx, caller, products))
  const channel = await done(tx =>
    accounts.add(
      tx,
      caller,
      { platform: 'telegram', name: 'A channel', credentials: { secret: accounts.newSecret() } },
      {
        k1: randomBytes(32),
      },
    ),
  )
  let count = 0
  const upTo = (most: number): number => Math.floor(random.between(0, most))
  const oneOf = <T>(all: readonly T[]): T | undefined => all[upTo(all.length)]
  const rows = async (table: string): Promise<Json[]> =>
    (await sql<{ doc: string }[]>`select doc from ${sql(table)} where tenant_id = ${tenant} order by id`).map(row => JSON.parse(row.doc))
  // The clocks of others, and what is recorded later.
  const at = (): string => new Date(now() - upTo(5) * HOUR_MS).toISOString()

  async function place(silent: boolean): Promise<void> {
    const items = () => [
      ...Array.from({ length: 1 + upTo(3) }, () => ({ sku: oneOf(SKUS) as string, quantity: 1 + upTo(4) })),
      { name: 'Wrapping', unit_amount: 1 + upTo(500), quantity: 1 },
    ]
    const inputs = Array.from({ length: 1 + upTo(3) }, () =>
      random.next() < 0.2
        ? { currency: 'USD', items: [{ name: 'Abroad', unit_amount: 1000 + upTo(100), quantity: 2 }] }
        : { items: items() },
    )
    const orders = inputs.map(input => ({
      caller: { ...caller, ...(silent && { silent: true }) },
      input: { customer: { email: `c${upTo(9)}@example.com` }, ...input },
    }))
    for (const placed of await done(tx => placeAll(tx, orders as never))) if (placed instanceof Problem) throw placed
  }

  const orderOf = async (isMeant: (order: Order) => boolean) => oneOf(((await rows('orders')) as Order[]).filter(isMeant))

  async function tell(order: Order, kind: string, over: object): Promise<void> {
    const told = { event_id: `e${++count}`, at: at(), reference: `r-${order.number}`, charge: null, order: { id: order.id } }
    const update = { ...told, kind, currency: order.currency, amount: order.total_amount, ...over } as PaymentUpdate
    await done(tx => applyAll(tx, caller, { ...SOURCE, tenant }, [update]))
  }

  const hear = (updates: Update[]) =>
    done(async tx => {
      const account = (await accounts.of(tx, tenant, channel)) as accounts.Account
      return apply(
        tx,
        caller,
        account,
        updates.map(update => ({ update, receivedAt: new Date() })),
      )
    })
  const said = (thread: string): Update => ({
    kind: 'message',
    thread,
    at: null,
    from: { ids: [thread] },
    external_id: `m${++count}`,
    said: { text: `Hello ${count}?`, media: [] },
  })
  const talk = async () => oneOf(await rows('conversations'))

  const steps: Record<string, () => Promise<unknown>> = {
    place: () => place(false),
    import: () => place(true),
    async move() {
      // Of each status as often, for few are far on their way.
      const movable = ((await rows('orders')) as Order[]).filter(({ status }) => STATUSES.some(to => canMove(status, to)))
      const from = oneOf([...new Set(movable.map(({ status }) => status))])
      const order = oneOf(movable.filter(({ status }) => status === from))
      const to = order && oneOf(STATUSES.filter(each => canMove(order.status, each)))
      if (order && to) await done(tx => change(tx, caller, order.id, { status: to }, () => {}))
    },
    async pay() {
      const order = await orderOf(({ paid_amount, total_amount }) => paid_amount < total_amount)
      if (!order) return
      const amount = 1 + upTo(order.total_amount - order.paid_amount)
      const paid_at = at()
      await done(tx => byHand.record(tx, caller, order.id, { ...(random.next() < 0.5 && { amount }), paid_at }))
    },
    async refund() {
      const order = await orderOf(({ paid_amount, refunded_amount }) => paid_amount > refunded_amount)
      if (!order) return
      const amount = 1 + upTo(order.paid_amount - order.refunded_amount)
      await done(tx => byHand.refund(tx, caller, order.id, random.next() < 0.5 ? { amount } : {}))
    },
    async 'a provider tells of a payment'() {
      const order = await orderOf(() => true)
      if (order) await tell(order, 'paid', random.next() < 0.3 ? { amount: 7 } : {})
    },
    async 'a provider tells of a refund'() {
      const order = await orderOf(({ payment }) => payment?.provider === 'generic')
      if (order) await tell(order, 'refund', { amount: 1 + upTo(order.total_amount), refund_id: `f-${order.number}`, reason: null })
    },
    async 'a refund fails'() {
      const order = await orderOf(({ payment, refunded_amount }) => payment?.provider === 'generic' && refunded_amount > 0)
      if (order)
        await tell(order, 'refund_failed', { amount: 1 + upTo(order.refunded_amount), refund_id: `f-${order.number}`, reason: null })
    },
    async accept() {
      const payment = oneOf((await rows('payments')).filter(({ status }) => status === 'mismatched'))
      if (payment) await done(tx => byHand.accept(tx, caller, payment.id, {}))
    },
    'a customer writes': () => hear(Array.from({ length: 1 + upTo(3) }, () => said(`t${upTo(4)}`))),
    async 'a person answers'() {
      const { id } = (await talk()) ?? {}
      if (id) await done(tx => reply(tx, caller, id, { text: `Answer ${++count}`, ...(random.next() < 0.2 && { private: true }) }))
    },
    async 'a person answers elsewhere'() {
      const thread = `t${upTo(4)}`
      await hear([{ kind: 'echo', thread, at: null, external_id: `m${++count}`, said: { text: `Elsewhere ${count}`, media: [] } }])
    },
    async 'the assistant answers'() {
      const { id, ai_status } = (await talk()) ?? {}
      if (!id) return
      if (ai_status === 'paused') await done(tx => changeConversation(tx, caller, id, { ai_status: 'on' }, () => {}))
      const turn = await done(tx => beginTurn(tx, caller, id))
      if (turn) await done(tx => speak(tx, caller, turn, { text: `Words ${++count}` }))
    },
    // As the assistant will that hands over: there is no verb for it yet.
    async 'the assistant asks for a person'() {
      const { id, escalation } = (await talk()) ?? {}
      if (!id || escalation) return
      await done(async tx => {
        const { change } = await open(tx, caller, id, [])
        const held = heldOf(change, id)
        const asked = { requested_at: new Date(now()).toISOString(), reason: null }
        setHeld(change, { ...held, conversation: { ...held.conversation, escalation: asked } })
        await write(tx, change)
      })
    },
    async 'a message fails'() {
      const message = oneOf((await rows('messages')).filter(({ status }) => status === 'queued'))
      if (!message) return
      const { id: message_id, conversation_id } = message
      const fate = { tenant, conversation_id, message_id, status: 'failed', external_id: null, next_attempt_at: null, attempts: 1 } as const
      await done(async tx => {
        // As the engine does that has sent it.
        await tx`delete from channel_sends where tenant_id = ${tenant} and message_id = ${message_id}`
        await recordSends(tx, [{ ...fate, error: { code: 'rejected', message: 'No.' } }])
      })
    },
    async 'a message is sent again'() {
      const message = oneOf((await rows('messages')).filter(({ status }) => status === 'failed'))
      if (message) await done(tx => resend(tx, caller, message.conversation_id, message.id))
    },
  }

  return {
    tenant,
    async step() {
      const name = oneOf(Object.keys(steps)) as string
      try {
        await steps[name]?.()
        return name
      } catch (error) {
        if (error instanceof Problem) return `${name}, refused`
        throw error
      }
    },
  }
}

const HOUR_MS = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape
type Json = any
