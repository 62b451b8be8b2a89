// A shop that imports files, and waits for the outcome.
import assert from 'node:assert/strict'
import { onChannel } from '../../src/contacts/on-channel.ts'
import { newId } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Reply, TestApp, TestTenant } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'

export interface Importer extends TestTenant {
  /** Sends a file as it is. */
  send(query: string, file: string | Buffer, headers?: Record<string, string>): Promise<Reply>
  /** Sends a file that is accepted. @returns the import, when it is over */
  imported(query: string, file: string | Buffer, headers?: Record<string, string>): Promise<Json>
  over(id: string): Promise<Json>
  /** The errors, in the order of the file: line, field, code. */
  wrong(id: string): Promise<[number, string, string][]>
  ndjson(rows: unknown[]): string
  /** A visitor of web chat types an address, which nothing proves. */
  claim(email: string): Promise<void>
  counts(done: Json): object
}

export function importing(app: TestApp): { shop(): Promise<Importer> } {
  return {
    async shop() {
      const tenant = await app.tenant()
      const { key, get } = tenant
      const over = (id: string) =>
        eventually(async () => {
          const { body } = await get(`/api/v1/imports/${id}`)
          return ['completed', 'failed', 'cancelled'].includes(body.status) && body
        })
      const send: Importer['send'] = (query, file, headers = { 'Content-Type': NDJSON }) =>
        app.request('POST', `/api/v1/imports?${query}`, { key, raw: file, headers })
      return {
        ...tenant,
        send,
        over,
        async imported(query, file, headers) {
          const reply = await send(query, file, headers)
          assert.equal(reply.status, 202, reply.text)
          assert.equal(reply.headers.get('location'), `/api/v1/imports/${reply.body.id}`)
          return over(reply.body.id)
        },
        async wrong(id) {
          const { body } = await get(`/api/v1/imports/${id}/errors?limit=100`)
          return body.data.map(({ line, field, code }: Json) => [line, field, code])
        },
        async claim(email) {
          const caller = { tenant: tenant.id, actor: { type: 'system' as const } }
          const visitor = { ids: ['visitor'], handle: email, claimed: { email } }
          await begin(app.sql, tx => onChannel(tx, caller, { id: newId('chn'), platform: 'web' }, [visitor]))
        },
        ndjson: rows => rows.map(row => `${JSON.stringify(row)}\n`).join(''),
        counts: ({ rows_total, rows_read, created, updated, unchanged, failed }) => ({
          rows_total,
          rows_read,
          created,
          updated,
          unchanged,
          failed,
        }),
      }
    },
  }
}
