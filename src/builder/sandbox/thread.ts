// A thread that runs one script, as the process sees it. It is ended from outside when its time is over, whatever it is at.
import { Worker } from 'node:worker_threads'
import { SANDBOX_GRACE_MS, SANDBOX_START_MS } from '../../limits/builder.ts'
import type { Evaluated, Script } from './evaluate.ts'
import type { Message } from './inside.ts'
import { type LogLine, type Outcome, timedOut } from './outcome.ts'

export interface Thread {
  /** Resolves once it waits for its script. @throws {Error} where it cannot be made ready */
  ready: Promise<void>
  /** Once; the thread is of no use afterwards. */
  run(script: Script): Promise<Outcome>
  /** Resolves once nothing of it is left. */
  end(): Promise<unknown>
}

export function startThread(module: WebAssembly.Module): Thread {
  const worker = new Worker(new URL('./inside.ts', import.meta.url), {
    name: 'sandbox',
    workerData: { module },
    // Nothing of this process's settings, which hold its secrets, is in the thread.
    env: {},
    argv: [],
    execArgv: [],
    // The thread's own JavaScript is little; the interpreter's memory is bounded by itself.
    resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 },
  })
  // A spare thread keeps no process from its end.
  worker.unref()
  let told: (message: Message) => void = () => {}
  let lost: (error: Error) => void = () => {}
  worker.on('message', (message: Message) => told(message))
  worker.on('error', error => lost(error))
  worker.on('exit', () => lost(new Error('the thread of a sandbox has ended')))
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the thread of a sandbox did not become ready in time')), SANDBOX_START_MS)
    late.unref()
    told = message => {
      if (!('ready' in message)) return
      clearTimeout(late)
      resolve()
    }
    lost = error => {
      clearTimeout(late)
      reject(error)
    }
  })
  ready.catch(() => {})

  function run(script: Script): Promise<Outcome> {
    const logs: LogLine[] = []
    let logsTruncated = false
    const begun = performance.now()
    worker.ref()
    return new Promise(resolve => {
      const end = (evaluated: Evaluated): void => {
        clearTimeout(late)
        const { json, fault } = { json: undefined, fault: undefined, ...evaluated }
        resolve({ json, fault, logs, logsTruncated, durationMs: Math.round(performance.now() - begun) })
      }
      const late = setTimeout(() => end({ fault: timedOut(script.timeoutMs) }), script.timeoutMs + SANDBOX_GRACE_MS)
      told = message => {
        if ('log' in message) logs.push(message.log)
        else if ('logsCut' in message) logsTruncated = true
        else if ('ended' in message) end(message.ended)
      }
      // The interpreter, or the thread around it, ran out of what it may have.
      lost = () => end({ fault: { name: 'InternalError', message: 'The script took more than the sandbox has.', line: null } })
      worker.postMessage(script)
    })
  }

  return { ready, run, end: () => worker.terminate() }
}
