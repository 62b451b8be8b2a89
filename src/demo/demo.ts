// The demo of embedded runs: a small shop, and receivers of its webhook and its messages in this very process, so that a pasted curl line shows
// the signed event arriving.
import { join } from 'node:path'
import * as channels from '../channels/accounts/accounts.ts'
import { startBridge } from '../channels/bridge.ts'
import { begin, openDatabase } from '../postgres/sql.ts'
import { moveTo } from '../webhooks/endpoints/endpoints.ts'
import { startReceiver } from '../webhooks/listen.ts'
import { arrival, invitation, outgoing, warning } from './lines.ts'
import { caller, type DemoContext, demoWorkspace } from './workspace.ts'

export interface Demo {
  env: Record<string, string>
  close(): Promise<void>
  lines(baseUrl: string): string[]
}

/** Makes the workspace on the first run; on every run starts its receiver and points its webhook there. */
export async function prepareDemo(context: DemoContext): Promise<Demo | undefined> {
  const { config, databaseUrl } = context
  const db = openDatabase(databaseUrl, { name: 'shopdesk demo', lanes: 1, pool: 1 })
  const file = join(config.dataDir, 'demo.json')
  const show = { secret: '', channel: '' }
  const receiver = await startReceiver({ port: 0, secret: () => show.secret, onEvent: event => console.log(arrival(event)) })
  const messenger = await startBridge({ port: 0, secret: () => show.channel, onMessage: message => console.log(outgoing(message)) })
  const close = async (): Promise<void> => {
    await Promise.all([receiver.close(), messenger.close()])
  }
  try {
    const made = await demoWorkspace(db.sql, context, receiver.url, file)
    show.secret = made.secret
    show.channel = made.channel?.secret ?? ''
    await begin(db.sql, async tx => {
      await moveTo(tx, caller(made.tenant), made.webhook, receiver.url)
      if (made.channel) await channels.sendTo(tx, made.tenant, made.channel.id, messenger.url)
    })
    const origins = [receiver, messenger].map(({ url }) => new URL(url).origin)
    return {
      // The worker may call these two private addresses, even where others are refused.
      env: { OUTBOUND_ALLOW_ORIGINS: [...config.outbound.allowOrigins, ...origins].join(',') },
      close,
      lines: baseUrl => [...invitation(made, baseUrl), ...warning(config.host)],
    }
  } catch (error) {
    await close()
    throw error
  } finally {
    await db.close()
  }
}
