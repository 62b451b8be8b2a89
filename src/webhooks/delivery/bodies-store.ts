// The statement that reads large bodies of events: claims bring the small ones.
import type { Ref } from '../../ids.ts'
import { SMALL_BODY_BYTES } from '../../limits/webhooks.ts'
import type { Queryable } from '../../postgres/sql.ts'

/** Bodies as bytes, each in memory of its own. Undefined: the event no longer exists. */
export async function loadAll(sql: Queryable, events: Ref[]): Promise<(Buffer | undefined)[]> {
  const bodies: (Buffer | undefined)[] = events.map(() => undefined)
  await sql`
    select a.n::text, v.body
      from unnest(${events.map(each => each.tenant)}::text[], ${events.map(each => each.id)}::text[]) with ordinality as a (tenant_id, event_id, n),
           lateral (select e.body from events e where e.tenant_id = a.tenant_id and e.id = a.event_id offset 0) v`
    .raw()
    .forEach(row => {
      const [place, body] = row as unknown as [Buffer, Buffer]
      // A small body is a view of a buffer that holds others too, and would keep all of them in memory: it is copied.
      bodies[Number(place.toString()) - 1] = body.length > SMALL_BODY_BYTES ? body : Buffer.from(body)
    })
  return bodies
}
