// Turns: which caller is served when more is asked for than can be served at once.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createPlaces } from '../src/places.ts'
import { createTurns, type Turns } from '../src/turns.ts'

const places = (all: number) => createPlaces({ all, code: 'too_many', what: 'of them', instead: 'wait' })

/** Work that ends when it is told to. */
function worker(turns: Turns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    begin: (name: string, signal?: AbortSignal): Promise<string> =>
      turns(
        name[0] as string,
        () =>
          new Promise(resolve => {
            begun.push(name)
            ends.set(name, () => resolve(name))
          }),
        signal,
      ),
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

suite('turns', () => {
  test('go to a tenant one at a time, and waiting tenants are served one after another, however many callers of one tenant wait', async () => {
    const { begun, begin, end } = worker(createTurns(places(4)))
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1', 'e1', 'f1'].map(name => begin(name))
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'd1'])
    await end('c1')
    assert.deepEqual(begun.slice(4), ['e1'])
    await end('a1')
    await end('b1')
    await end('d1')
    assert.deepEqual(begun.slice(5), ['a2', 'b2', 'f1'])
    for (const name of ['a2', 'b2', 'e1', 'f1', 'a3', 'a4']) await end(name)
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1', 'e1', 'f1'])
  })

  test('are waited for by a limited number of callers: a tenant’s share of the waiting room, and all of it', async () => {
    const { begun, begin, end } = worker(createTurns(places(4), places(4)))
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'd2']) void begin(name)
    await assert.rejects(begin('a3'), { type: 'conflict' })
    await assert.rejects(begin('e1'), { type: 'service-unavailable' })
    await end('a1')
    void begin('e1')
    await end('b1')
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'd1', 'a2', 'b2'])
  })

  test('end with their work, also where it fails', async () => {
    const turns = createTurns(places(1))
    await assert.rejects(
      turns('a', () => Promise.reject(new Error('no database'))),
      /no database/,
    )
    assert.equal(await turns('b', async () => 'done'), 'done')
  })

  test('are not begun for a caller that has left meanwhile, which leaves the waiting room too', async () => {
    const { begun, begin, end } = worker(createTurns(places(4), places(4)))
    void begin('a1')
    const leaving = new AbortController()
    const left = begin('a2', leaving.signal)
    leaving.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
    await assert.rejects(begin('a3', leaving.signal), /gone/)
    const next = begin('a4')
    next.catch(() => {})
    await end('a1')
    assert.deepEqual(begun, ['a1', 'a4'])
  })
})
