// The one display of progress, on a stand-in for a terminal and on a stand-in for a file.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Display, type Progress, withProgress } from '../../src/cli/progress.ts'

const CLEARED = '\r\x1b[2K'
const half: Progress = { done: 500, total: 1_000, what: 'products', perSecond: 1_234, failed: 3 }
const HALF = '[######------] 50 %  500 of 1,000 products, 1,234/s, 1 s left, 3 failed'
const all: Progress = { ...half, done: 1_000, failed: 0 }
const ALL = '[############] 100 %  1,000 of 1,000 products, 1,234/s'

interface Stage {
  live?: boolean
  columns?: number
  json?: boolean
  elsewhere?: 'the last'
}

/** The output while `work` goes on, which moves the clock. */
async function written(stage: Stage, work: (display: Display, pass: (ms: number) => void) => void): Promise<string> {
  const { live = true, columns = 80, ...shown } = stage
  let text = ''
  let at = 0
  const to = {
    isTTY: live,
    columns,
    write(piece: string) {
      text += piece
    },
  }
  const pass = (ms: number): void => {
    at += ms
  }
  const working = withProgress(
    { elsewhere: 'now and then', ...shown },
    async display => work(display, pass),
    to,
    () => at,
  )
  await working.catch(error => assert.equal(error.message, 'The disk is full.'))
  return text
}

suite('progress', () => {
  test('on a terminal is one line that is written over at most every 100 ms, and ends as what came last', async () => {
    const text = await written({}, ({ show }, pass) => {
      show(half)
      pass(99)
      show({ ...half, done: 501 })
      pass(1)
      show({ ...half, done: 502 })
      show(all)
    })
    assert.deepEqual(text.split(CLEARED), ['', HALF, HALF.replace('500 of', '502 of'), `${ALL}\n`])
  })

  test('work that breaks off leaves its line, and the reason goes on a new one', async () => {
    const fail = (): never => {
      throw new Error('The disk is full.')
    }
    const breakOff = ({ show }: Display): never => {
      show(half)
      return fail()
    }
    assert.equal(await written({}, breakOff), `${CLEARED}${HALF}\n`)
    assert.equal(await written({}, fail), '')
    assert.equal(await written({ live: false, elsewhere: 'the last' }, breakOff), '')
  })

  test('a message meanwhile replaces the line, which comes again below it', async () => {
    const text = await written({}, ({ show, say }) => {
      show(half)
      say('Is a worker running?')
      show(all)
    })
    assert.deepEqual(text.split(CLEARED), ['', HALF, 'Is a worker running?\n', `${ALL}\n`])
  })

  test('is cut to a narrow terminal, where a second line could not be written over', async () => {
    const text = await written({ columns: 40 }, ({ show }) => show(all))
    assert.equal(text.split(CLEARED).at(-1), `${ALL.slice(0, 39)}\n`)
  })

  test('elsewhere is a line every ten seconds, or the last alone', async () => {
    const work = ({ show }: Display, pass: (ms: number) => void): void => {
      for (const now of [half, half, all]) {
        show(now)
        pass(5_000)
      }
    }
    assert.equal(await written({ live: false }, work), `${ALL}\n`)
    assert.equal(await written({ live: false, elsewhere: 'the last' }, work), `${ALL}\n`)
    assert.equal(await written({ live: false }, ({ show }) => show(all)), '')
    assert.equal(await written({ live: false, elsewhere: 'the last' }, ({ show }) => show(all)), `${ALL}\n`)
  })

  test('with --json is nothing', async () => {
    for (const live of [true, false]) {
      const text = await written({ live, json: true, elsewhere: 'the last' }, ({ show, say }) => {
        show(half)
        say('Is a worker running?')
      })
      assert.equal(text, '')
    }
  })

  test('none of none is 100 %; a rate is an average, with a decimal where it is slow, and missing where it is not known', async () => {
    const lastOf = (now: Progress, ms = 0) =>
      written({ live: false, elsewhere: 'the last' }, ({ show }, pass) => {
        pass(ms)
        show(now)
      })
    const what = 'orders'
    assert.equal(await lastOf({ done: 0, total: 0, what }), '[############] 100 %  0 of 0 orders\n')
    assert.equal(await lastOf({ done: 300, total: 400, what }, 10_000), '[#########---] 75 %  300 of 400 orders, 30/s\n')
    assert.equal(await lastOf({ done: 3, total: 4, what, perSecond: 0.333 }), '[#########---] 75 %  3 of 4 orders, 0.3/s\n')
    assert.equal(await lastOf({ done: 3, total: 4, what, perSecond: null }), '[#########---] 75 %  3 of 4 orders\n')
  })
  test('where counting ended early it says so, and not when it will be done', async () => {
    const text = await written({}, ({ show }) => show({ ...half, totalAtLeast: true }))
    assert.equal(text.split(CLEARED)[1], '[######------] 50 %  500 of at least 1,000 products, 1,234/s, 3 failed')
  })
})
