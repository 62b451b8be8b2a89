// A service that takes callbacks of toy kinds, and sources of them.
import { after } from 'node:test'
import * as callbacks from '../../src/callbacks/callbacks.ts'
import type { KindName } from '../../src/callbacks/kind.ts'
import { loadConfig } from '../../src/config.ts'
import { newId, type Ref } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { createTables, secretOf, toyKinds } from './toy-kind.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
  text: string
}

export interface CallbackRow {
  id: string
  status: string
  reason: string | null
  attempts: number
  due_in: number
}

export async function callbackApp(env: Record<string, string> = {}) {
  const app = await testApp()
  await createTables(app.sql)
  const settings = { INBOUND_CHANNEL_LIMIT: '100000', INBOUND_PAYMENT_LIMIT: '100000', ...env }
  const config = {
    ...app.config,
    ...(({ inbound, trustProxy }) => ({ inbound, trustProxy }))(loadConfig({ ...settings, DATABASE_URL: app.databaseUrl })),
  }
  const process = { ...app, config }
  const web = await startWeb(process, toyKinds)
  after(() => web.close())

  async function send(ref: Ref, body: unknown, headers: Record<string, string> = {}, method = 'POST'): Promise<Answer> {
    const path = ref.id.startsWith('pay_') ? 'payments' : 'channels'
    const response = await fetch(`${web.address}/api/${path}/${ref.id}/callback`, {
      method,
      headers: { 'X-Toy': secretOf(ref.id), ...headers },
      ...(method === 'POST' && { body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined }
  }

  return {
    ...process,
    web,
    send,
    async source(kind: KindName = 'channel'): Promise<Ref> {
      const { id: tenant } = await app.tenant()
      const ref = { tenant, id: newId(kind === 'channel' ? 'chn' : 'pay') }
      await begin(app.sql, tx => callbacks.openSource(tx, ref, kind))
      return ref
    },
    /** Its callbacks, in the order in which they came. */
    rows: async ({ id }: Ref): Promise<CallbackRow[]> => [
      ...(await app.sql<CallbackRow[]>`
        select id, status, reason, attempts, extract(epoch from due_at - clock_timestamp())::float8 as due_in
          from callbacks where source_id = ${id} order by id`),
    ],
    applied: async ({ id }: Ref) => [
      ...(await app.sql<{ callback: string; said: string | null; set_of: number; pid: number }[]>`
        select callback, said, set_of, pid from toys_applied where source = ${id} order by n`),
    ],
    async worker() {
      const worker = await startWorker(process, {}, toyKinds)
      after(() => worker.close())
      return worker
    },
  }
}
