// The program of a sandbox's thread: makes an interpreter ready, runs one script, and is thrown away.
import { parentPort, workerData } from 'node:worker_threads'
import base from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { SANDBOX_MEMORY_BYTES, SANDBOX_RESERVE_BYTES } from '../../limits/builder.ts'
import { type Evaluated, prepare, type Script } from './evaluate.ts'
import type { LogLine } from './outcome.ts'

/** What a thread tells of itself, in this order; lines of the log come as often as they are logged. */
export type Message = { ready: true } | { log: LogLine } | { logsCut: true } | { ended: Evaluated }

const PAGE_BYTES = 64 * 1024
/** As much as the interpreter asks for at its start. */
const FIRST_PAGES = 256

const TRIALS = 3

if (!parentPort) throw new Error('This is the program of a thread.')
const port = parentPort
const tell = (message: Message): void => port.postMessage(message)

const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: (SANDBOX_MEMORY_BYTES + SANDBOX_RESERVE_BYTES) / PAGE_BYTES })
const { module } = workerData as { module: WebAssembly.Module }
// Its types are those of the package’s other form, in which the default export is the module.
const variant = newVariant(base as unknown as QuickJSSyncVariant, { wasmModule: module, wasmMemory: memory })
const quickjs = await newQuickJSWASMModuleFromVariant(variant)
// Tried a few times, so that a script finds everything compiled that is compiled when it is first used.
for (let at = 0; at < TRIALS; at++) prepare(quickjs).run({ code: '1', input: '1', timeoutMs: 1_000 }, { log() {}, logsCut() {} })
const prepared = prepare(quickjs)

port.once('message', (script: Script) => {
  const ended = prepared.run(script, { log: log => tell({ log }), logsCut: () => tell({ logsCut: true }) })
  tell({ ended })
})
tell({ ready: true })
