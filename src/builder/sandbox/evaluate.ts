// One run of a script in QuickJS: a language and a console, no function of the host's besides, and no way to keep the caller from an end. Everything
// comes out as text that the prelude made.
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import {
  SANDBOX_LOG_BYTES,
  SANDBOX_LOG_LINES,
  SANDBOX_MEMORY_BYTES,
  SANDBOX_RESERVE_BYTES,
  SANDBOX_RESULT_BYTES,
  SANDBOX_STACK_BYTES,
} from '../../limits/builder.ts'
import { type Fault, LOG_LEVELS, type LogLine, timedOut } from './outcome.ts'
import { PRELUDE, PRELUDE_NAME, TOO_LARGE } from './prelude.ts'

export interface Script {
  code: string
  /** The input, as JSON. */
  input: string | undefined
  timeoutMs: number
}

/** What came of a run: the result as JSON, or why there is none. */
export type Evaluated = { json: string } | { fault: Fault }

export interface Told {
  log(line: LogLine): void
  /** Once, where something was logged that is left out. */
  logsCut(): void
}

/** The name of a script in its stack. */
const SCRIPT_NAME = 'script.js'
/**
 * JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_ASYNC of quickjs.h, which the package's types leave out: a script that may await outside of functions. Its end is a
 * promise of `{ value }`, which may be a promise itself.
 */
const AWAITING_SCRIPT = 0 | (1 << 7)
/** Jobs of promises between two looks at whether the result has come. */
const JOBS_AT_ONCE = 100

/** A context in which nothing has run but the prelude. */
export interface Prepared {
  run(script: Script, told: Told): Evaluated
}

export function prepare(quickjs: QuickJSWASMModule): Prepared {
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(SANDBOX_MEMORY_BYTES)
  runtime.setMaxStackSize(SANDBOX_STACK_BYTES)
  const context = runtime.newContext()
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, PRELUDE_NAME))
  let told: Told = { log() {}, logsCut() {} }
  const send = context.newFunction('send', sender(context, { log: line => told.log(line), logsCut: () => told.logsCut() }))
  const begun = context.unwrapResult(context.callFunction(prelude, context.undefined, send))
  const part = (name: string): QuickJSHandle => context.getProp(begun, name)
  const room: Room = { runtime, context, begin: part('begin'), settle: part('settle'), described: part('described') }
  return {
    run(script, teller) {
      told = teller
      return run(room, script)
    },
  }
}

/** An interpreter, and the functions of its prelude. */
interface Room {
  runtime: QuickJSRuntime
  context: QuickJSContext
  begin: QuickJSHandle
  settle: QuickJSHandle
  described: QuickJSHandle
}

// Nothing is disposed of: the thread, and all of its memory, ends with the run.
function run({ runtime, context, begin, settle, described }: Room, script: Script): Evaluated {
  const deadline = performance.now() + script.timeoutMs
  const isLate = (): boolean => performance.now() > deadline
  runtime.setInterruptHandler(isLate)
  try {
    if (script.input !== undefined) {
      const given = context.callFunction(begin, context.undefined, context.newString(script.input))
      if (given.error) return { fault: isLate() ? timedOut(script.timeoutMs) : OUT_OF_MEMORY }
    }
    // What describes an error may come to code of the script, which may take the time that is left.
    const fault = (error: QuickJSHandle): Evaluated => {
      const found = isLate() ? undefined : faultOf(runtime, context, described, error)
      return { fault: isLate() || !found ? timedOut(script.timeoutMs) : found }
    }
    const ended = context.evalCode(script.code, SCRIPT_NAME, AWAITING_SCRIPT)
    if (ended.error) return fault(ended.error)
    const promise = context.callFunction(settle, context.undefined, ended.value)
    if (promise.error) return fault(promise.error)
    for (;;) {
      const state = context.getPromiseState(promise.value)
      if (state.type === 'rejected') return fault(state.error)
      if (state.type === 'fulfilled') return resultOf(context.getString(state.value))
      if (isLate()) return { fault: timedOut(script.timeoutMs) }
      if (!runtime.hasPendingJob()) return { fault: NEVER_SETTLED }
      const jobs = runtime.executePendingJobs(JOBS_AT_ONCE)
      if (jobs.error) return fault(jobs.error)
    }
  } catch {
    // The interpreter itself ran out of stack; its state is of no use any more.
    return { fault: isLate() ? timedOut(script.timeoutMs) : OUT_OF_STACK }
  }
}

// Must not throw: what a function of the host throws shows its stack to the script.
function sender(context: QuickJSContext, { log, logsCut }: Told): (level: QuickJSHandle, text: QuickJSHandle) => undefined {
  let lines = 0
  let left = SANDBOX_LOG_BYTES
  let isCut = false
  return (level, text) => {
    if (isCut) return
    try {
      const bytes = Buffer.from(JSON.parse(context.getString(text)) as string)
      lines++
      if (lines > SANDBOX_LOG_LINES || left <= 0 || bytes.length > left) {
        isCut = true
        logsCut()
      }
      if (lines > SANDBOX_LOG_LINES || left <= 0) return
      const name = LOG_LEVELS.find(each => each === context.getString(level)) ?? 'log'
      // Half a character at the cut is left out.
      log({
        level: name,
        text: bytes
          .subarray(0, left)
          .toString()
          .replace(/\u{FFFD}{1,3}$/u, bytes.length > left ? '' : '$&'),
      })
      left -= bytes.length
    } catch {
      isCut = true
    }
  }
}

function resultOf(json: string): Evaluated {
  if (Buffer.byteLength(json) <= SANDBOX_RESULT_BYTES) return { json }
  return { fault: { name: 'RangeError', message: TOO_LARGE, line: null } }
}

const OUT_OF_MEMORY: Fault = { name: 'InternalError', message: 'out of memory', line: null }
const OUT_OF_STACK: Fault = { name: 'InternalError', message: 'stack overflow', line: null }
const NEVER_SETTLED: Fault = {
  name: 'Error',
  message: 'The script ends with a promise that is never settled: nothing is left to run.',
  line: null,
}

function faultOf(runtime: QuickJSRuntime, context: QuickJSContext, described: QuickJSHandle, error: QuickJSHandle): Fault {
  // A script may have taken all the memory that it may: telling so takes some more.
  runtime.setMemoryLimit(SANDBOX_MEMORY_BYTES + SANDBOX_RESERVE_BYTES / 2)
  // Where there is not even room for an error, null is thrown in its place.
  if (context.typeof(error) === 'object' && context.eq(error, context.null) && isFull(runtime, context)) return OUT_OF_MEMORY
  const told = context.callFunction(described, context.undefined, error)
  if (told.error) return OUT_OF_MEMORY
  const [name, message, stack] = JSON.parse(context.getString(told.value)) as [string, string, string]
  const line = Number(new RegExp(`\\b${SCRIPT_NAME}:(\\d{1,6})\\b`).exec(stack)?.[1] ?? 0)
  return { name, message, line: line > 0 ? line : null }
}

function isFull(runtime: QuickJSRuntime, context: QuickJSContext): boolean {
  const { malloc_size: bytes } = context.dump(runtime.computeMemoryUsage()) as { malloc_size: number }
  return bytes > SANDBOX_MEMORY_BYTES / 2
}
