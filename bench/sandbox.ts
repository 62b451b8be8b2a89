// The result of a script in the sandbox, a spare thread ready, against a bare context of the same interpreter in this process.
import { setTimeout as delay } from 'node:timers/promises'
import base from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { createSandbox } from '../src/builder/sandbox/sandbox.ts'
import { median, verdict } from './compare.ts'

const ROUNDS = 9
const RUNS = 15
const TIMES_MAX = 4
const GROWTH_MB = 30
/** A thread that has just become ready still compiles: its process comes to rest first. */
const REST_MS = 20
const CODE = '1'

export async function sandbox(): Promise<void> {
  console.log('\nsandbox: to the result of `1`')
  const quickjs = await newQuickJSWASMModuleFromVariant(base as unknown as QuickJSSyncVariant)
  const threads = createSandbox()
  const bare = async (): Promise<void> => {
    const runtime = quickjs.newRuntime()
    const context = runtime.newContext()
    const result = context.unwrapResult(context.evalCode(CODE))
    if (context.dump(result) !== 1) throw new Error('a bare context did not lead to 1')
    result.dispose()
    context.dispose()
    runtime.dispose()
  }
  const ours = async (): Promise<void> => {
    const { json } = await threads.execute('bench', { code: CODE })
    if (json !== '1') throw new Error('the sandbox did not lead to 1')
  }
  const rest = async (): Promise<void> => {
    await threads.spareReady()
    await delay(REST_MS)
  }
  await p50(bare, async () => {})
  await ours()
  await rest()
  const weight = process.memoryUsage().rss
  const ratios: number[] = []
  const sides: [number[], number[]] = [[], []]
  for (let at = 0; at < ROUNDS; at++) {
    const [left, right] = [await p50(bare, () => delay(REST_MS)), await p50(ours, rest)]
    sides[0].push(left)
    sides[1].push(right)
    ratios.push(right / left)
  }
  await rest()
  const grown = (process.memoryUsage().rss - weight) / 2 ** 20
  await threads.close()
  console.log(`  a bare context and eval, here      p50 ${median(sides[0]).toFixed(2)} ms`)
  console.log(`  the sandbox, a spare thread ready  p50 ${median(sides[1]).toFixed(2)} ms`)
  const spread = `(${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)})`
  console.log(`  ratio ${median(ratios).toFixed(1)} × ${spread}, required at most ${TIMES_MAX} ×: ${verdict(median(ratios) <= TIMES_MAX)}`)
  console.log(
    `  memory: ${grown.toFixed(0)} MB more after ${ROUNDS * RUNS} scripts, required under ${GROWTH_MB}: ${verdict(grown < GROWTH_MB)}`,
  )
}

async function p50(run: () => Promise<void>, before: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < RUNS; at++) {
    await before()
    const begun = performance.now()
    await run()
    times.push(performance.now() - begun)
  }
  return median(times)
}
