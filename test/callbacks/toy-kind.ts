// A toy kind of callback: a source's secret is its id backwards, sent in a header, and what a callback says to do is done and noted.
import { APPLIED, type Kind, type Outcome, type Waiting } from '../../src/callbacks/kind.ts'
import type { Ref } from '../../src/ids.ts'
import type { Queryable, Sql } from '../../src/postgres/sql.ts'
import { invalid } from '../../src/problems.ts'
import { equalSecrets } from '../../src/secrets.ts'

export const secretOf = (id: string): string => [...id].reverse().join('')

/** What was applied, in its order. */
export const createTables = (sql: Sql) =>
  sql.unsafe(`
    create table toys_applied (
      n bigint generated always as identity primary key,
      source text not null,
      callback text not null,
      said text,
      set_of integer not null,
      pid integer not null
    );
    grant all on toys_applied to public;
    grant all on all sequences in schema public to public`)

const sourcesWith = (sql: Queryable, ids: string[]): Promise<Ref[]> =>
  sql<Ref[]>`select s.tenant_id as tenant, s.id from callback_sources s where s.id = any (${ids}::text[])`

const toy = {
  find: sourcesWith,
  verify: ({ id }: Ref, { headers }: { headers: Record<string, unknown> }) => equalSecrets(String(headers['x-toy']), secretOf(id)),
  check(_source: Ref, { shape }: Record<string, unknown>) {
    if (shape !== undefined) throw invalid({ field: 'shape', code: 'unknown_field', message: 'is not known.' })
  },
  threads: ({ threads }: Record<string, unknown>) => (threads as string[] | undefined) ?? [],
  async apply(sql: Queryable, _caller: unknown, source: Ref, callbacks: Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const { id, value } of callbacks) {
      const said = typeof value['text'] === 'string' ? value['text'] : null
      await sql`
        insert into toys_applied (source, callback, said, set_of, pid)
        values (${source.id}, ${id}, ${said}, ${callbacks.length}, ${process.pid})`
      outcomes.push(did(value))
    }
    return outcomes
  },
}

function did({ do: what, until }: Record<string, unknown>): Outcome {
  if (what === 'fail') throw new Error('it always fails')
  if (what === 'kill') process.kill(process.pid, 'SIGKILL')
  if (what === 'give up') return { status: 'failed', reason: 'it cannot be done' }
  if (what === 'ignore') return { status: 'ignored', reason: 'nobody asked' }
  if (what === 'wait') return { status: 'later', until: new Date(until as string), reason: 'its message never came' }
  return APPLIED
}

export const toyKinds: Kind[] = [
  {
    ...toy,
    name: 'channel',
    prefix: 'chn',
    path: '/api/channels/{id}/callback',
    greet: ({ id }, query) => (query['hub.verify_token'] === secretOf(id) ? String(query['hub.challenge']) : undefined),
  },
  { ...toy, name: 'payment', prefix: 'pay', path: '/api/payments/{id}/callback' },
]
