// Callbacks of one channel, applied as a set: read, and handed to conversations.
import type { Outcome, Waiting } from '../../callbacks/kind.ts'
import type { Caller } from '../../caller.ts'
import * as conversations from '../../conversations/apply.ts'
import type { Tx } from '../../postgres/sql.ts'
import * as accounts from '../accounts/accounts.ts'
import type { Reading } from '../platforms/platform.ts'
import { handOn } from './hand-on.ts'
import { readingsOf } from './readings.ts'
import type { ReceivingContext } from './secrets.ts'
import * as store from './store.ts'

/** One update, and the callback it came in. */
interface Entry extends Reading {
  callback: number
  receivedAt: Date
}

export async function apply(tx: Tx, caller: Caller, id: string, callbacks: Waiting[], context: ReceivingContext): Promise<Outcome[]> {
  const channel = await accounts.of(tx, caller.tenant, id)
  if (!channel || channel.status === 'deleted') return callbacks.map(() => GONE)
  const { platform } = channel
  const entries = callbacks.flatMap(({ value, receivedAt }, callback) =>
    readingsOf(platform, value).map((reading): Entry => ({ ...reading, callback, receivedAt })),
  )
  const isOwn = ({ account }: Entry) => account === null || channel.account_id === null || account === channel.account_id
  const own = entries.filter(isOwn)
  const others = entries.filter(each => !isOwn(each))
  const told = await conversations.apply(
    tx,
    caller,
    channel,
    own.map(({ update, receivedAt, order }) => ({ update, receivedAt, order })),
  )
  const handed = await handOn(tx, caller, channel, callbacks, others, context)
  const answers = own.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  if (answers.length > 0) await store.queueAnswers(tx, caller.tenant, id, answers)
  if (own.length > 0) await store.noteInbound(tx, caller.tenant, id)
  const outcomes = [...own.map((each, index) => [each.callback, told[index] as Outcome] as const), ...handed]
  return callbacks.map((_, callback) => together(outcomes.filter(([of]) => of === callback).map(([, outcome]) => outcome)))
}

const GONE: Outcome = { status: 'ignored', reason: 'the channel is deleted' }

/** The most reasons that are told of one callback. */
const REASONS_MAX = 3

/** What became of a callback, by what became of its updates. One that waits is given again as a whole: what was applied already changes nothing then. */
function together(outcomes: Outcome[]): Outcome {
  const later = outcomes.filter(each => each.status === 'later')
  if (later.length > 0) return later.reduce((a, b) => (a.until > b.until ? a : b))
  const failed = outcomes.find(each => each.status === 'failed')
  if (failed) return failed
  if (outcomes.some(each => each.status === 'applied')) return { status: 'applied' }
  const reasons = [...new Set(outcomes.map(each => ('reason' in each ? each.reason : '')))]
  return { status: 'ignored', reason: reasons.slice(0, REASONS_MAX).join('; ') }
}
