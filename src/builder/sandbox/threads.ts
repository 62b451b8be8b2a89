// Threads for scripts. Each serves one; while scripts come, one is kept ready for the next. Nothing is loaded before the first.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SANDBOX_SPARE_MS } from '../../limits/builder.ts'
import { startThread, type Thread } from './thread.ts'

export interface Threads {
  /** A thread that waits for its script: the spare one, or a new one. */
  take(): Promise<Thread>
  /** Makes a spare one, and keeps it for a while. */
  keepSpare(): void
  /** Resolves once the spare one, if there is one, waits for its script. */
  spareReady(): Promise<void>
  close(): Promise<void>
}

export function createThreads(): Threads {
  // Compiled once for all threads, and kept as long as the spare one.
  let module: Promise<WebAssembly.Module> | undefined
  let spare: Promise<Thread> | undefined
  let forgetting: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Thread> {
    module ??= compile()
    const thread = startThread(await module)
    try {
      await thread.ready
    } catch (error) {
      await thread.end()
      throw error
    }
    return thread
  }

  function forget(): Promise<unknown> {
    clearTimeout(forgetting)
    const last = spare
    spare = undefined
    module = undefined
    return Promise.resolve(last?.then(thread => thread.end())).catch(() => {})
  }

  return {
    take() {
      const thread = spare ?? start()
      spare = undefined
      // A spare one that could not be made ready says nothing of the next.
      return thread.catch(start)
    },
    keepSpare() {
      if (isClosed) return
      clearTimeout(forgetting)
      forgetting = setTimeout(forget, SANDBOX_SPARE_MS)
      forgetting.unref()
      spare ??= start()
      spare.catch(() => {})
    },
    spareReady: async () => void (await spare),
    async close() {
      isClosed = true
      await forget()
    },
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  return WebAssembly.compile(await readFile(file))
}
