// The pace of a client: how fast it sends or reads.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createPace } from '../src/pace.ts'

const RATE = 1_000

/** A pace over ten seconds, and its clock. */
function paced() {
  let now = 0
  const pace = createPace(10_000, () => now)
  return {
    pace,
    /** The client is waited for so many seconds, and then sends or takes so many bytes. */
    moves(seconds: number, bytes: number) {
      pace.wait()
      now += seconds * 1_000
      pace.moved(bytes)
    },
    passes(seconds: number) {
      now += seconds * 1_000
    },
  }
}

suite('a pace', () => {
  test('is not judged before its time, and is then the average since', () => {
    const { pace, moves, passes } = paced()
    assert.equal(pace.patience(RATE), 10_000)
    moves(4, 100)
    assert.equal(pace.patience(RATE), 6_000)
    pace.wait()
    passes(6)
    assert.equal(pace.patience(RATE), 0)
    assert.ok(pace.patience(10) === 0, 'a hundred bytes in ten seconds are ten a second')
    assert.ok(pace.patience(5) > 0)
  })

  test('is judged by the client’s time alone', () => {
    const { pace, moves, passes } = paced()
    moves(4, 100)
    passes(3_600)
    assert.equal(pace.patience(RATE), 6_000)
  })

  test('of large pieces is measured over several of them: a client that keeps the rate is never below it', () => {
    const { pace, moves, passes } = paced()
    moves(0, 50_000)
    for (let i = 0; i < 10; i++) {
      moves(49, 50_000)
      pace.wait()
      passes(48)
      assert.ok(pace.patience(RATE) > 0)
      pace.moved(50_000)
    }
  })

  test('of a client that has been fast leaves it a minute’s pause, and no more', () => {
    const { pace, moves, passes } = paced()
    moves(1, 1_000_000_000)
    pace.wait()
    passes(59)
    assert.equal(pace.patience(RATE), 1_000)
    passes(1)
    assert.equal(pace.patience(RATE), 0)
  })

  test('forgets the past: a client that stops after a fast start is soon below it', () => {
    const { pace, moves, passes } = paced()
    for (let i = 0; i < 100; i++) moves(1, 1_000_000)
    moves(20, 10)
    assert.equal(pace.patience(RATE), 10_000)
    pace.wait()
    passes(10)
    assert.ok(pace.patience(RATE) <= 0)
  })
})
