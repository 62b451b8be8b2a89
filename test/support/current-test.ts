// How node:test knows which test runs, for processes of tests; loaded before node:test is. It asks async_hooks, with a hook for each promise that begins
// and another for its collection, under which a loop of awaits takes twenty times as long, and our service ran in that. AsyncLocalStorage answers the
// same question for nothing. An error that comes later, from a timer or a rejection, still fails the test that caused it.
import hooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

const current = new AsyncLocalStorage<number>()
let init: Init | undefined

/** What node:test makes its tests, suites and hooks of: it hears of these alone. */
class TestResource extends AsyncResource {
  constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
    super(type, options)
    init?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(fn: (this: This, ...args: never[]) => Result, thisArg?: This, ...args: never[]): Result {
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => fn.apply(thisArg as This, args)))
  }
}

const { createHook, executionAsyncId } = hooks
Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => current.getStore() ?? 0,
  createHook(callbacks: { init: Init }) {
    init = callbacks.init
    return { enable() {}, disable() {} }
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
