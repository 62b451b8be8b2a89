// The watchman judges by looks at the queue and a clock, both given by the test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWatchman, WATCH_LIMITS, type Watchman } from '../../src/queue/watchman.ts'

/** Looks every two seconds for this long. @returns the verdicts that are not "well", with the second of each */
function given() {
  let time = 0
  const watchman = createWatchman(() => time)
  return {
    watchman,
    pass(seconds: number, unseen: boolean | undefined, meanwhile: (watchman: Watchman) => void = () => {}): [second: number, is: string][] {
      const verdicts: [number, string][] = []
      for (const until = time + seconds * 1000; time < until; ) {
        time += WATCH_LIMITS.lookMs
        meanwhile(watchman)
        const { is } = watchman.looked(unseen)
        if (is !== 'well') verdicts.push([time / 1000, is])
        if (is === 'end') break
      }
      return verdicts
    },
    freeze(seconds: number) {
      time += seconds * 1000
    },
  }
}

test('a queue that fetches is well, whether there are jobs or not', () => {
  assert.deepEqual(
    given().pass(600, false, it => it.fetched(0)),
    [],
  )
  assert.deepEqual(
    given().pass(600, true, it => it.fetched(5)),
    [],
  )
})

test('a job that the queue does not see makes it start anew, then end; without any fetch each takes 30 s', () => {
  assert.deepEqual(
    given().pass(600, true, it => it.fetched(0)),
    [
      [8, 'renew'],
      [14, 'end'],
    ],
  )
  assert.deepEqual(given().pass(600, false), [
    [32, 'renew'],
    [62, 'end'],
  ])
})

test('a queue whose slots are all taken does not have to fetch', () => {
  assert.deepEqual(
    given().pass(600, true, it => it.waits(false)),
    [],
  )
})

test('the queue is not judged while the database is away, nor at once when it is back', () => {
  const { pass } = given()
  assert.deepEqual(pass(3600, undefined), [])
  assert.deepEqual(pass(28, false), [])
  assert.deepEqual(pass(3600, undefined), [])
  assert.deepEqual(pass(4, true), [])
})

test('a queue that started anew and is refused by the database itself does not end while that lasts', () => {
  const { pass } = given()
  assert.deepEqual(pass(32, false), [[32, 'renew']])
  assert.ok(pass(3600, false, it => it.refused()).every(([, is]) => is === 'renew'))
})

test('after a minute of work the queue may start anew again', () => {
  const { pass } = given()
  assert.deepEqual(pass(32, false), [[32, 'renew']])
  assert.deepEqual(
    pass(62, false, it => it.fetched(0)),
    [],
  )
  assert.deepEqual(pass(30, false), [[124, 'renew']])
})

test('a process that was frozen is not judged by the time that it slept through', () => {
  const { pass, freeze } = given()
  pass(10, false, it => it.fetched(0))
  freeze(3600)
  assert.deepEqual(pass(28, false), [])
})
