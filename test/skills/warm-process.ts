// A worker that warms up, tells its parent whether it has compiled what the first call of a skill needs, and ends.
import { loadConfig } from '../../src/config.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { isReady } from '../../src/skills/compilers.ts'
import { startWorker } from '../../src/worker.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const keyring = parseKeyring('5e'.repeat(32)) as Keyring
const worker = await startWorker({ config: loadConfig({ LOG_LEVEL: 'fatal' }), databaseUrl, keyring })
await worker.warmUp()
process.send?.({ ready: isReady() })
await worker.close()
process.disconnect()
