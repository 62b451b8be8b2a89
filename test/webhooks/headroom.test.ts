// Room for tenants that send little beside one that sends all it can.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeadroom, type Headroom } from '../../src/webhooks/delivery/headroom.ts'
import { createSignal } from '../../src/webhooks/delivery/signal.ts'
import { eventually } from '../support/eventually.ts'

/** More than a portion. */
const TRIES = 200

const mayBegin = (headroom: Headroom, tenant: string): boolean => headroom.mayBegin(tenant, createSignal())

/** How many requests of the busy tenant may begin at once. */
function begun(headroom: Headroom, signal = createSignal()): number {
  let count = 0
  while (count < TRIES && headroom.mayBegin('busy', signal)) count++
  return count
}

/** One tenant sends all it can, and another one a little, until the first is held back. @returns resolves when that may go on */
async function heldBack(headroom: Headroom): Promise<{ goesOn: Promise<void> }> {
  const signal = createSignal()
  await eventually(async () => {
    assert.ok(mayBegin(headroom, 'quiet'))
    return begun(headroom, signal) < TRIES
  })
  return { goesOn: signal.changed() }
}

test('while others send too, a tenant that sends most of all goes on in portions, and one that sends little is never refused', async () => {
  const headroom = createHeadroom(() => 0)
  const { goesOn } = await heldBack(headroom)
  assert.deepEqual([mayBegin(headroom, 'busy'), mayBegin(headroom, 'quiet')], [false, true])
  assert.deepEqual([headroom.holdsBack('busy'), headroom.holdsBack('quiet')], [true, false])
  await goesOn
  const portion = begun(headroom)
  assert.ok(portion > 0 && portion < TRIES, `${portion} went out in one turn`)
})

test('a busy tenant waits until the loop has room, but not for ever', async () => {
  let [load, time, looks] = [1, 0, 0]
  const headroom = createHeadroom(
    () => {
      looks++
      return load
    },
    () => time,
  )
  const { goesOn } = await heldBack(headroom)
  let isOver = false
  void goesOn.then(() => {
    isOver = true
  })
  const before = looks
  await eventually(async () => looks > before + 3)
  assert.equal(isOver, false)
  load = 0
  await goesOn
  load = 1
  const again = await heldBack(headroom)
  time += 1_000
  await again.goesOn
})

test('a tenant that is alone is never held back, and neither is one of several that send alike', async () => {
  const [alone, alike, held] = [createHeadroom(() => 1), createHeadroom(() => 1), createHeadroom(() => 1)]
  await eventually(async () => {
    for (let i = 0; i < TRIES; i++) {
      assert.ok(mayBegin(alone, 'one'))
      for (const tenant of ['one', 'one', 'one', 'two', 'two', 'three', 'three', 'four']) assert.ok(mayBegin(alike, tenant))
    }
    return mayBegin(held, 'quiet') && begun(held) < TRIES
  })
  assert.deepEqual([alone.holdsBack('one'), alike.holdsBack('one'), held.holdsBack('busy')], [false, false, true])
})
