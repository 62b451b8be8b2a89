// What must hold after old lines were pruned beside deliveries, catch-ups and recoveries.
import type { Crew } from './crew.ts'
import { type Delivery, fateOf } from './deliveries.ts'
import type { Receivers } from './receivers.ts'
import type { Shops } from './shops.ts'
import { type Finding, none } from './verdict.ts'
import type { Hook, Walks } from './walks.ts'

export interface Evidence extends Pick<Shops, 'sql' | 'serverLog'> {
  crew: Crew
  hooks: Hook[]
  receivers: Receivers
  /** The receivers of the webhooks after theirs. */
  rest: Receivers
  walks: Walks
}

/** The events that receivers have taken: a refused one must come again. */
export async function takenOf({ receivers, rest, hooks }: Evidence): Promise<Set<string>> {
  const posts = [
    ...(await receivers.posts()),
    ...(await rest.posts()).map(each => ({ ...each, endpoint: each.endpoint + receivers.urls.length })),
  ]
  return new Set(posts.filter(({ status = 500 }) => status < 300).map(({ endpoint, event }) => `${hooks[endpoint]?.id} ${event}`))
}

export async function ofDeliveries(
  { sql, hooks, walks }: Evidence,
  { deliveries, taken }: { deliveries: Delivery[]; taken: Set<string> },
): Promise<Finding[]> {
  const refusing = hooks.at(-1)?.id
  const known = new Set(deliveries.map(({ endpoint, event }) => `${endpoint} ${event}`))
  // Only deliveries whose rows are still there: those of an old event are deleted with it.
  const unexplained = await sql`
    select d.endpoint_id, d.event_id from webhook_deliveries d
     where d.state = 'failed'
       and not exists (select 1 from webhook_attempts a where a.endpoint_id = d.endpoint_id and a.event_id = d.event_id and a.error is not null)`
  return [
    none(
      `every delivery has arrived, or stands as failed or dropped, of ${deliveries.length}`,
      deliveries.filter(each => fateOf(each, taken).startsWith('lost')),
    ),
    none(
      'no delivery is given up but where the receiver refuses all',
      deliveries.filter(each => each.endpoint !== refusing && fateOf(each, taken) !== 'arrived'),
    ),
    none('a failed delivery has its failed attempts in the log', unexplained),
    none(
      `every missed event that is not old has a delivery, of ${walks.young.length}`,
      walks.young.filter(({ endpoint, event }) => !known.has(`${endpoint} ${event}`)),
    ),
  ]
}

export async function ofEnds({ sql, crew, walks, serverLog }: Evidence): Promise<Finding[]> {
  const unfinished =
    await sql`select id, state, reason from webhook_recoveries where id = any(${walks.recoveries}) and state <> 'completed'`
  const lines = (text: string, pattern: RegExp) => text.split('\n').filter(line => pattern.test(line))
  return [
    none(`every recovery comes to its end, of ${walks.recoveries.length}`, unfinished),
    none(
      'no delivery is dropped for want of its event, and no recurring work fails',
      lines(crew.output(), /their events are gone|recurring work failed/),
    ),
    none('the server’s log has no deadlock', lines(serverLog(), /deadlock/)),
  ]
}
