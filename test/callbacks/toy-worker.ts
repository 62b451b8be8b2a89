// A worker process that knows toy kinds of callbacks: `node toy-worker.ts`, with the settings of the service.
import { loadConfig } from '../../src/config.ts'
import type { Keyring } from '../../src/secrets.ts'
import { startWorker } from '../../src/worker.ts'
import { toyKinds } from './toy-kind.ts'

const config = loadConfig()
const worker = await startWorker({ config, databaseUrl: config.databaseUrl as string, keyring: config.keyring as Keyring }, {}, toyKinds)
process.send?.({ ready: true })
process.once('SIGTERM', async () => {
  await worker.close()
  process.exit()
})
