// `bin/shopdesk` for a file of tests, on the database of `testApp`.
import { after } from 'node:test'
import { MANY_WEBHOOKS, type TestApp } from './app.ts'
import { killAll, type Running, runShopdesk } from './processes.ts'

after(killAll)

/** The settings with which a process serves the database of `testApp`. */
export const settingsOf = ({ databaseUrl, keyring }: Pick<TestApp, 'databaseUrl' | 'keyring'>) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: Object.values(keyring)[0]?.toString('hex'),
  LOG_LEVEL: 'warn',
  OUTBOUND_ALLOW_PRIVATE: 'true',
  ...MANY_WEBHOOKS,
})

/** A worker that is running. */
export async function aWorker(env: Record<string, string | undefined>): Promise<Running> {
  const worker = shopdesk(['worker'], env)
  await worker.says(/worker is running/)
  return worker
}

export const shopdesk = runShopdesk
