// Why a pending delivery has not been sent, as a part of the statements that read it: `t` is the delivery, `w` its endpoint. The rules by which the engine
// sends are said here a second time, in SQL; test/webhooks/waiting.test.ts holds the two against each other in every situation.
import { iso } from '../../postgres/page.ts'
import { type Fragment, part } from '../../postgres/sql.ts'

/** JSON: the first reason that holds, and until when, if that is known. Null for a delivery that is not pending. */
export const waiting = (tenant: string, endpoint: string): Fragment => part`
  case
    when t.state <> 'pending' then null
    when w.status = 'disabled' then json_build_object('reason', 'disabled', 'until', null)
    when w.catching_up is not null then json_build_object('reason', 'catching_up', 'until', null)
    when w.status = 'paused' then json_build_object('reason', 'paused', 'until', null)
    when w.failures >= 3 and w.silent_until > greatest(t.due_at, now())
      then json_build_object('reason', 'endpoint_failing', 'until', ${iso(part`w.silent_until`)})
    when t.due_at > now() then json_build_object('reason', 'retry', 'until', ${iso(part`greatest(t.due_at, w.silent_until)`)})
    when w.silent_until > now() then json_build_object('reason',
      -- without a rate it rests for a fault of ours
      case when w.failures = 0 then case when w.max_per_minute is null then 'turn' else 'rate_limit' end when w.max_parallel > 1 then 'endpoint_failing' when t.attempts > 0 then 'retry' else 'order' end,
      'until', ${iso(part`w.silent_until`)})
    when w.lease_token is not null and w.lease_until > now()
      then json_build_object('reason', case when t.id = any(${underWay(tenant, endpoint)}) then 'in_flight' else 'backlog' end, 'until', null)
    else json_build_object('reason', 'turn', 'until', null)
  end`

// Events being sent to an endpoint under lease. Workers do not write down what they have claimed, so this follows the rules of delivery/window.ts and
// delivery/health.ts: the oldest, as many as the endpoint's health allows; after a failure one, and first one that was never tried. It is read once for
// a page, for it refers to no row of the page.
function underWay(tenant: string, endpoint: string): Fragment {
  const due = part`
    webhook_deliveries d
     where d.tenant_id = ${tenant} and d.endpoint_id = ${endpoint} and d.state = 'pending' and d.due_at <= now()`
  const ofEndpoint = (what: Fragment) =>
    part`(select ${what} from webhook_endpoints e where e.tenant_id = ${tenant} and e.id = ${endpoint})`
  const untriedFirst = ofEndpoint(part`e.failures > 0 and e.max_parallel > 1`)
  const width = ofEndpoint(part`case when e.failures > 0 then 1 else e.max_parallel end`)
  return part`array(
    select u.event_id
      from ((select true as untried, d.event_id from ${due} and d.attempts = 0 and ${untriedFirst} order by d.due_at, d.event_id limit 1)
            union all
            (select false, d.event_id from ${due} order by d.due_at, d.event_id limit ${width})) u
     order by u.untried desc
     limit ${width})`
}
