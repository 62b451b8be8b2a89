// A worker process that plays with toys alone: `node toy-worker.ts <database> <toys at once> <slice, ms>`. A toy whose id says `deadly` ends it.
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../../src/postgres/sql.ts'
import { createCompany } from '../../src/queue/company.ts'
import { keepPool } from '../../src/queue/pool.ts'
import { standUp } from '../../src/queue/standing.ts'
import { onTrial } from '../../src/queue/trial.ts'
import { createPlay, giveUp, TASK } from './toys.ts'

const [databaseUrl = '', most, sliceMs] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const stopping = new AbortController()
const db = openDatabase(databaseUrl, { name: 'shopdesk toys', lanes: 0, pool: 4 })
const standing = await standUp(databaseUrl, log, stopping.signal)
const play = createPlay({
  sql: db.sql,
  standing,
  stopping: stopping.signal,
  most: Number(most),
  sliceMs: Number(sliceMs),
  async before({ id }) {
    await turn()
    if (id.startsWith('deadly')) process.kill(process.pid, 'SIGKILL')
  },
})
type Payload = GraphileWorker.Tasks[typeof TASK]
const refOf = ({ tenantId, toyId }: Payload) => ({ tenant: tenantId, id: toyId })
const court = { sql: db.sql, standing, company: createCompany(), log }
const task = onTrial(
  court,
  TASK,
  (payload: Payload, { trial }: { trial: never }) => play(refOf(payload), trial),
  (payload: Payload) => giveUp(db.sql, refOf(payload)),
)
const pool = await keepPool({
  databaseUrl,
  standing,
  tasks: { [TASK]: task },
  concurrency: 20,
  told: () => {},
  version: '1',
  trouble: () => undefined,
  log,
})
process.send?.({ ready: true })
process.once('SIGTERM', async () => {
  stopping.abort()
  await pool.close()
  await standing.close()
  await db.close()
  process.exit()
})
