// Callbacks of one channel, applied as a set: read, and handed to conversations.
import type { Outcome, Waiting } from '../../callbacks/kind.ts'
import type { Caller } from '../../caller.ts'
import { strangers } from '../../contacts/on-channel.ts'
import * as conversations from '../../conversations/apply.ts'
import type { Tx } from '../../postgres/sql.ts'
import type { Account } from '../accounts/accounts.ts'
import { CONNECTORS } from '../platforms/connectors.ts'
import type { Reading } from '../platforms/platform.ts'
import { handOn } from './hand-on.ts'
import { noteInbound } from './inbound.ts'
import { readingsOf } from './readings.ts'
import type { ReceivingContext } from './secrets.ts'
import * as store from './store.ts'

/** One update, and the callback it came in. */
interface Entry extends Reading {
  callback: number
  receivedAt: Date
}

/** @param channel also one that was deleted after its callbacks were taken */
export async function apply(tx: Tx, caller: Caller, channel: Account, callbacks: Waiting[], context: ReceivingContext): Promise<Outcome[]> {
  const { id, platform } = channel
  const entries = callbacks.flatMap(({ value, receivedAt }, callback) =>
    readingsOf(platform, value).map((reading): Entry => ({ ...reading, callback, receivedAt })),
  )
  const isOwn = ({ account, receivedAt }: Entry) =>
    account === null || channel.account_id === null || account === channel.account_id || wasOwn(channel, account, receivedAt)
  const own = entries.filter(isOwn)
  const others = entries.filter(each => !isOwn(each))
  const nameless = await toBeNamed(tx, caller, channel, own)
  const told = await conversations.apply(
    tx,
    caller,
    channel,
    own.map(({ update, receivedAt, order }) => ({ update, receivedAt, order })),
  )
  const handed = await handOn(tx, caller, channel, callbacks, others, context)
  const answers = own.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  if (answers.length > 0) await store.queueAnswers(tx, { tenant: caller.tenant, id }, answers)
  if (nameless.length > 0) await store.queueNames(tx, { tenant: caller.tenant, id }, nameless)
  if (own.length > 0) noteInbound(tx, { tenant: caller.tenant, id })
  const outcomes = [...own.map((each, index) => [each.callback, told[index] as Outcome] as const), ...handed]
  const ofEach = Map.groupBy(outcomes, ([callback]) => callback)
  return callbacks.map((_, callback) => together((ofEach.get(callback) ?? []).map(([, outcome]) => outcome)))
}

/** Whether it was the channel's account when the callback was taken: a disabled channel's may be applied days later. */
const wasOwn = ({ former_account_id, moved_at }: Account, account: string, at: Date): boolean =>
  account === former_account_id && moved_at !== null && at <= moved_at

/** People who write for the first time, by a platform whose callbacks tell no names. */
function toBeNamed(tx: Tx, { tenant }: Caller, { id, platform }: Account, own: Entry[]): Promise<string[]> {
  const people = own.flatMap(({ update }) =>
    update.kind === 'message' && update.from.name === undefined ? update.from.ids.slice(0, 1) : [],
  )
  return CONNECTORS[platform]?.profile ? strangers(tx, tenant, id, [...new Set(people)]) : Promise.resolve([])
}

/** The most reasons that are told of one callback. */
const REASONS_MAX = 3

/**
 * What became of a callback, by what became of its updates. One of which any waits is given again as a whole: what was applied already changes nothing then.
 * All that wait do so until the same moment, a minute after their callback came.
 */
function together(outcomes: Outcome[]): Outcome {
  const unfinished = outcomes.find(each => each.status === 'later') ?? outcomes.find(each => each.status === 'failed')
  if (unfinished) return unfinished
  if (outcomes.some(each => each.status === 'applied')) return { status: 'applied' }
  const reasons = [...new Set(outcomes.map(each => ('reason' in each ? each.reason : '')))]
  return { status: 'ignored', reason: reasons.slice(0, REASONS_MAX).join('; ') }
}
