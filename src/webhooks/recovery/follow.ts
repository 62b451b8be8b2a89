// Begins a recovery and shows its progress until the end, for people. With --json it prints the recovery as it began, and the program asks again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Json } from '../../cli/output.ts'
import { type Display, type Progress, withProgress } from '../../cli/progress.ts'
import { OperatorError } from '../../errors.ts'
import { begin, type Sql, type Tx } from '../../postgres/sql.ts'
import { found } from '../../tenants/tenant-command.ts'
import { answerOf } from '../log/answer.ts'
import * as log from '../log/store.ts'
import * as recoveries from './store.ts'

interface FollowContext {
  sql: Sql
  tenant: string
  webhook: string
}

/** How often progress is read, and how long it may stand still before the command mentions workers. */
const FOLLOW_MS = 300
const STILL_MS = 10_000

/**
 * @param start gives the recovery's id
 * @throws {OperatorError} when the receiver did not accept all of it: with its answer, or with the command that shows it
 */
export async function follow(context: FollowContext, start: (tx: Tx) => Promise<string>, json: boolean | undefined): Promise<void> {
  const id = await begin(context.sql, start)
  const look = async () =>
    JSON.parse(found('recovery', await recoveries.findJson(context.sql, context.tenant, context.webhook, id))) as Json
  const first = await look()
  if (json) return console.log(JSON.stringify(first))
  console.log(`Recovery ${id}: the workers do it; Ctrl-C only stops watching.`)
  const last = await withProgress({ elsewhere: 'now and then' }, display => untilOver(first, look, display))
  const one = last['event_id'] === null ? undefined : await answerTo(context, last)
  const failed = last['state'] !== 'completed' || last['failed'] !== 0
  if (one && failed) throw new OperatorError(`Not delivered: ${one}. ${whereWhy(context, last)}`)
  console.log(one ? `Delivered: ${one}` : `${countsOf(last)}, ${endOf(last)}`)
  if (failed) throw new OperatorError(whereWhy(context, last))
}

async function untilOver(now: Json, look: () => Promise<Json>, { show, say }: Display): Promise<Json> {
  const many = now['event_id'] === null
  for (let still = 0; now['state'] === 'running'; still = now['done'] === 0 ? still + FOLLOW_MS : 0) {
    if (many) show(progressOf(now))
    if (still >= STILL_MS && still < STILL_MS + FOLLOW_MS) say('Nothing has been sent yet: is a worker running (bin/shopdesk worker)?')
    await delay(FOLLOW_MS)
    now = await look()
  }
  if (many) show(progressOf(now))
  return now
}

const progressOf = ({ done, total, total_at_least, per_second, failed }: Json): Progress => ({
  done: Number(done),
  total: Number(total),
  totalAtLeast: total_at_least === true,
  what: 'events',
  perSecond: Number(per_second),
  failed: Number(failed),
})

const countsOf = ({ done, total, total_at_least, succeeded, failed, per_second }: Json): string =>
  `${done} of ${total_at_least ? 'at least ' : ''}${total} sent: ${succeeded} succeeded, ${failed} failed, ${per_second} a second`

const endOf = ({ state, reason }: Json): string => (reason ? `${state} (${reason})` : String(state))

/** The receiver's answer to the one event of a redelivery or a test; undefined when it was not sent. */
async function answerTo({ sql, tenant, webhook }: FollowContext, { id, event_id }: Json): Promise<string | undefined> {
  const delivery = await log.findDelivery(sql, tenant, webhook, String(event_id))
  const attempts = delivery === undefined ? [] : ((JSON.parse(delivery) as Json)['log'] as Json[])
  const made = attempts.find(({ recovery_id }) => recovery_id === id)
  return made && answerOf(made)
}

function whereWhy({ tenant, webhook }: FollowContext, { event_id }: Json): string {
  const which = event_id === null ? '' : ` --event ${event_id}`
  return `What was sent and answered: bin/shopdesk webhook deliveries ${webhook} --tenant ${tenant}${which}`
}
