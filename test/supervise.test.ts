// The children of `start`: real workers that die, freeze, hang, start slowly and stop slowly, and what their supervisor does about it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { childEnvironment } from '../src/config.ts'
import { openDatabase } from '../src/postgres/sql.ts'
import { type Keeping, keepRunning, shopdesk } from '../src/supervise.ts'
import { testDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'

/** Four seconds of silence, because a child reports each second, or a little later where the machine is busy. */
const KEEPING = { firstPauseMs: 10, longestPauseMs: 40, steadyMs: 60_000, lookMs: 100, silentLooks: 40 }
const SILENT_MS = KEEPING.lookMs * KEEPING.silentLooks
const block = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,${ms})`

/** A supervised worker with a database of its own. @param code that the worker runs first */
async function given(over: Partial<Keeping> = {}, code = '') {
  const database = await testDatabase()
  const { sql, close } = openDatabase(database.url, { name: 'test', lanes: 0, pool: 1 })
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: '00'.repeat(32),
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
  }
  const said: string[] = []
  let ready = 0
  const onReady = () => void ready++
  const worker = keepRunning(shopdesk('worker'), childEnvironment(env), { ...KEEPING, onReady, say: line => void said.push(line), ...over })
  after(async () => {
    await Promise.all([worker.close(), close()])
  })
  await worker.ready
  let known: number | undefined
  /** The process of a worker that lives and was not seen before. */
  async function next(): Promise<number> {
    known = await eventually(async () => {
      const [row] = await sql<{ pid: number }[]>`select pid from worker_pools order by started_at desc limit 1`
      return row?.pid !== known && row?.pid
    })
    return known as number
  }
  let seen = 0
  /** The same, once it has reported: a worker that dies between its first beat and its report was never ready. */
  async function nextReady(): Promise<number> {
    const pid = await next()
    seen++
    await eventually(async () => ready >= seen)
    return pid
  }
  return { said, next, nextReady }
}

const pauses = (lines: string[]): (string | undefined)[] => lines.map(line => /again in ([\d.]+) s/.exec(line)?.[1])

describe('a child of start', { concurrency: true }, () => {
  test('that dies again and again is started after growing pauses', async () => {
    const at = await given()
    for (let i = 0; i < 4; i++) process.kill(await at.next(), 'SIGKILL')
    await eventually(async () => at.said.length === 4)
    assert.deepEqual(pauses(at.said), ['0.01', '0.02', '0.04', '0.04'])
  })

  test('that was ready for long enough is started after the first pause again', async () => {
    const at = await given({ steadyMs: 1 })
    for (let i = 0; i < 3; i++) process.kill(await at.nextReady(), 'SIGKILL')
    await eventually(async () => at.said.length === 3)
    assert.deepEqual(pauses(at.said), ['0.01', '0.01', '0.01'])
  })

  test('that is frozen, or comes to nothing else any more, is killed, which is said, and started again', async () => {
    // As an endless loop, without the four seconds of the processor that one would take.
    const at = await given({}, `process.on('SIGUSR2', () => ${block(60_000)})`)
    for (const signal of ['SIGSTOP', 'SIGUSR2'] as const) process.kill(await at.nextReady(), signal)
    await at.next()
    const told = ['worker has not answered for 4 s; killing it.', 'worker ended (SIGKILL); starting it again in']
    assert.deepEqual(
      at.said.map(line => told.findIndex(text => line.startsWith(text))),
      [0, 1, 0, 1],
    )
  })

  test('that is long in starting, or in stopping, is left alone', async () => {
    const long = block(SILENT_MS + 1_000)
    const at = await given({}, `${long}; process.once('disconnect', () => setTimeout(() => ${long}))`)
    process.kill(await at.next(), 'SIGTERM')
    await at.next()
    assert.deepEqual(at.said, ['worker ended (0); starting it again in 0.01 s.'])
  })
})

// Not concurrent, because it freezes this process, which is the supervisor.
test('a child that lives is not killed by a supervisor that was frozen', async () => {
  const at = await given()
  const pid = await at.next()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SILENT_MS + 1_000)
  // Time for as many further checks as would kill it.
  const since = performance.now()
  await eventually(async () => performance.now() - since > SILENT_MS + 1_000)
  assert.deepEqual(at.said, [])
  process.kill(pid, 0)
})
