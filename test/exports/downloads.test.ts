// What is held for readers, and when it is let go.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { createDownloads, type Next } from '../../src/exports/downloads.ts'
import { DOWNLOADS_AT_ONCE, DOWNLOADS_OF_TENANT } from '../../src/limits.ts'
import { Problem } from '../../src/problems.ts'

const PIECE = Buffer.alloc(1_000)
/** Pieces without end. */
const endless: Next = async () => PIECE

suite('a download', () => {
  test('is not read ahead: one piece is ready, and the next is made when it has been taken', async () => {
    let made = 0
    const stream = createDownloads().open('ten', async () => {
      made++
      return made <= 5 ? PIECE : undefined
    })
    stream.read(0)
    await once(stream, 'readable')
    assert.equal(made, 1)
    let bytes = 0
    for await (const chunk of stream) bytes += chunk.length
    assert.deepEqual([made, bytes], [6, 5_000])
  })

  test('whose reader stops is ended', async () => {
    const stream = createDownloads(20).open('ten', endless)
    stream.read(0)
    const [error] = await once(stream, 'error')
    assert.match(error.message, /stopped reading/)
  })

  test('whose reader leaves tells so to who makes its pieces, and gives its place back', async () => {
    const downloads = createDownloads()
    const left: boolean[] = []
    const waiting: Next = signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          left.push(true)
          reject(new Error('cancelled'))
        })
      })
    const streams = Array.from({ length: DOWNLOADS_OF_TENANT }, () => downloads.open('ten', waiting))
    for (const stream of streams) stream.read(0)
    assert.throws(
      () => downloads.open('ten', endless),
      (error: unknown) => error instanceof Problem && error.members['code'] === 'too_many_downloads',
    )
    downloads.open('another', endless).destroy()
    const [first] = streams
    assert.ok(first)
    first.destroy()
    await once(first, 'close')
    assert.deepEqual(left, [true])
    downloads.open('ten', endless).destroy()
    const others = streams.slice(1).map(stream => once(stream, 'error'))
    downloads.abort()
    await Promise.all(others)
    assert.equal(left.length, DOWNLOADS_OF_TENANT)
  })

  test('is one of so many that a process can serve, whosever they are', async () => {
    const downloads = createDownloads()
    const streams = Array.from({ length: DOWNLOADS_AT_ONCE }, (_, i) => downloads.open(`ten_${i}`, endless))
    assert.throws(
      () => downloads.open('another', endless),
      (error: unknown) => error instanceof Problem && error.type === 'service-unavailable' && error.headers['Retry-After'] === '5',
    )
    for (const stream of streams) stream.destroy()
  })

  test('whose pieces cannot be made ends in an error, not in silence', async () => {
    const stream = createDownloads().open('ten', async () => Promise.reject(new Error('no database')))
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, /no database/)
  })
})
