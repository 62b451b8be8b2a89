// Toys: the smallest noun of leased work, by a table and a task. Playing one takes steps, each a statement under the lease that notes its token.
import type { Ref } from '../../src/ids.ts'
import { part, type Queryable, type Sql } from '../../src/postgres/sql.ts'
import { atMost } from '../../src/queue/at-most.ts'
import { leased } from '../../src/queue/leased.ts'
import { type SliceContext, takeSlice } from '../../src/queue/slice.ts'
import type { Trial } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'toys/play': { tenantId: string; toyId: string }
    }
  }
}

export const TASK = 'toys/play'

export const toys = leased({
  table: 'toys',
  task: TASK,
  key: 'toyId',
  open: part`r.state = 'open'`,
  priority: part`case when r.total = 1 then 0 else 7 end`,
})

export const createTables = (sql: Sql) =>
  sql.unsafe(`
    create table toys (
      tenant_id text not null,
      id text not null,
      state text not null default 'open',
      total integer not null,
      done integer not null default 0,
      queued_at timestamptz(3) not null default clock_timestamp(),
      lease_token uuid,
      lease_until timestamptz(3),
      primary key (tenant_id, id)
    );
    create index toys_open on toys (queued_at) where state = 'open';
    create table toy_steps (
      n bigint generated always as identity primary key,
      tenant_id text not null,
      toy_id text not null,
      token uuid not null,
      pid integer not null
    )`)

/** A toy of so many steps. */
export async function make(sql: Queryable, ref: Ref, total: number): Promise<Ref> {
  await sql`insert into toys (tenant_id, id, total) values (${ref.tenant}, ${ref.id}, ${total})`
  await toys.enqueue(sql, ref)
  return ref
}

export interface ToyContext extends SliceContext {
  sql: Sql
  /** Toys at once in this process. */
  most: number
  sliceMs: number
  /** Called before each step. */
  before(ref: Ref): Promise<void>
}

/** The task, as for any noun. */
export const createPlay = (context: ToyContext) =>
  atMost(
    context.most,
    (ref, afterSeconds) => toys.enqueue(context.sql, ref, afterSeconds),
    (_slot, ref, trial: Trial) => playSlice(context, ref, trial),
  )

async function playSlice(context: ToyContext, ref: Ref, trial: Trial): Promise<void> {
  const { sql, sliceMs, before } = context
  const taken = await takeSlice(context, { sql, leases: toys, ref, trial, ms: sliceMs }, token => toys.take(sql, ref, token))
  if (!taken) return
  const { token, slice } = taken
  try {
    for (let isOpen = true; isOpen && slice.goesOn(); await trial.progressed()) {
      await before(ref)
      isOpen = await step(sql, ref, token)
    }
    await toys.release(sql, ref, token)
  } finally {
    slice.letGo()
  }
}

/** @returns whether there is more to do */
async function step(sql: Queryable, { tenant, id }: Ref, token: string): Promise<boolean> {
  const [row] = await sql<{ state: string }[]>`
    with stepped as (
      update toys r set done = r.done + 1, state = case when r.done + 1 = r.total then 'done' else r.state end
       where r.tenant_id = ${tenant} and r.id = ${id} and ${toys.isHeldBy(token)} and r.state = 'open'
      returning r.*
    ), noted as (
      insert into toy_steps (tenant_id, toy_id, token, pid) select s.tenant_id, s.id, ${token}, ${process.pid}::integer from stepped s
    )
    select s.state from stepped s`
  return row?.state === 'open'
}

/** Ends a toy that killed its workers, naming the step. */
export async function giveUp(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`
    update toys r set state = 'failed at step ' || (r.done + 1), ${toys.givenBack}
     where r.tenant_id = ${tenant} and r.id = ${id} and r.state = 'open'`
}
