// The demo of embedded runs: a small shop, receivers of its webhook and its messages in this very process, and an app whose service runs beside them, so
// that a pasted curl line shows in the terminal what comes of it.
import { join } from 'node:path'
import * as channels from '../channels/accounts/accounts.ts'
import { startBridge } from '../channels/bridge.ts'
import { childEnvironment } from '../config.ts'
import { list } from '../orders/store.ts'
import { begin, openDatabase, type Sql } from '../postgres/sql.ts'
import { keepRunning } from '../supervise.ts'
import { moveTo } from '../webhooks/endpoints/endpoints.ts'
import { startReceiver } from '../webhooks/listen.ts'
import { appToRun, exampleService, installExample, originOf } from './app.ts'
import { arrival, invitation, outgoing, warning } from './lines.ts'
import { keep, type Made } from './made.ts'
import { CUSTOMERS, caller, type DemoContext, demoWorkspace } from './workspace.ts'

export interface Demo {
  env: Record<string, string>
  /** Its app answers, or cannot. */
  ready: Promise<unknown>
  close(): Promise<void>
  lines(baseUrl: string): string[]
}

type Closer = () => Promise<void>

/** Makes the workspace on the first run; on every run starts its receivers and its app, and points its webhook there. */
export async function prepareDemo(context: DemoContext): Promise<Demo> {
  const { config, databaseUrl } = context
  const db = openDatabase(databaseUrl, { name: 'shopdesk demo', lanes: 1, pool: 1 })
  const file = join(config.dataDir, 'demo.json')
  const show = { secret: '', channel: '' }
  const receiver = await startReceiver({ port: 0, secret: () => show.secret, onEvent: event => console.log(arrival(event)) })
  const messenger = await startBridge({ port: 0, secret: () => show.channel, onMessage: message => console.log(outgoing(message)) })
  const closers: Closer[] = [receiver.close, messenger.close]
  const close = async (): Promise<void> => {
    await Promise.all(closers.map(each => each()))
  }
  try {
    const made = await demoWorkspace(db.sql, context, receiver.url, file)
    show.secret = made.secret
    show.channel = made.channel?.secret ?? ''
    const app = await appToRun(db.sql, made.tenant, made.app)
    await begin(db.sql, async tx => {
      await moveTo(tx, caller(made.tenant), made.webhook, receiver.url)
      if (made.channel) await channels.sendTo(tx, made.tenant, made.channel.id, messenger.url)
      if (!app) return
      await installExample(tx, made.tenant, app, context.keyring)
      await keep(file, { ...made, app })
    })
    const service = app && keepRunning(exampleService(file), childEnvironment({}))
    if (service) closers.push(service.close)
    const unpaid = await unpaidOrder(db.sql, made)
    const origins = [...[receiver, messenger].map(({ url }) => new URL(url).origin), ...(app ? [originOf(app)] : [])]
    return {
      // Web and worker may call these private addresses, even where others are refused.
      env: { OUTBOUND_ALLOW_ORIGINS: [...config.outbound.allowOrigins, ...origins].join(',') },
      // Where it cannot start, it has said why, and the shop does without.
      ready: service?.ready.catch(() => {}) ?? Promise.resolve(),
      close,
      lines: baseUrl => [...invitation(made, { baseUrl, dataDir: config.dataDir, app, unpaid }), ...warning(config.host)],
    }
  } catch (error) {
    await close()
    throw error
  } finally {
    await db.close()
  }
}

/** The oldest that a customer with an e-mail address still owes. */
async function unpaidOrder(sql: Sql, { tenant }: Made): Promise<string | undefined> {
  const of = { payment_status: ['unpaid'], status: ['pending'], customer_email: CUSTOMERS[0].email }
  const { data } = await list(sql, tenant, of, { sort: 'created_at', dir: 'asc', limit: 1 })
  const [order] = JSON.parse(`[${data}]`) as { id: string }[]
  return order?.id
}
