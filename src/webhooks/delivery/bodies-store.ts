// The statement that reads bodies of events apart from what is due.
import { SMALL_BODY_BYTES } from '../../limits.ts'
import type { Queryable } from '../../postgres/sql.ts'

export interface EventRef {
  tenant: string
  event: string
}

/** As bytes, each in memory of its own. Undefined: there is no such event any more. */
export async function loadAll(sql: Queryable, events: EventRef[]): Promise<(Buffer | undefined)[]> {
  const bodies: (Buffer | undefined)[] = events.map(() => undefined)
  await sql`
    select a.n::text, v.body
      from unnest(${events.map(each => each.tenant)}::text[], ${events.map(each => each.event)}::text[]) with ordinality as a (tenant_id, event_id, n),
           lateral (select e.body from events e where e.tenant_id = a.tenant_id and e.id = a.event_id offset 0) v`
    .raw()
    .forEach(row => {
      const [place, body] = row as unknown as [Buffer, Buffer]
      // A small one lies among others, all of which would be kept with it.
      bodies[Number(place.toString()) - 1] = body.length > SMALL_BODY_BYTES ? body : Buffer.from(body)
    })
  return bodies
}
