// What the process holds for the reader of a download, and when it lets go.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { createDownloads, type Downloads, type Next, type Patience } from '../../src/exports/downloads.ts'
import type { Streamed } from '../../src/ingress/route.ts'
import { DOWNLOADS_AT_ONCE, EXPORT_POOL } from '../../src/limits/exports.ts'
import { shareOf } from '../../src/places.ts'
import { Problem } from '../../src/problems.ts'
import { eventually } from '../support/eventually.ts'

const PIECE = Buffer.alloc(1_000)
/** Pieces without end. */
const endless: Next = async () => PIECE

const served = (downloads: Downloads, tenant: string, next: Next): Promise<Streamed> =>
  downloads.serve(tenant, async ({ send }) => ({ type: 'text/plain', headers: {}, open: () => send(next) }))

const opened = async (downloads: Downloads, tenant: string, next: Next) => (await served(downloads, tenant, next)).open()

const alone = (next: Next, patience?: Patience) => opened(createDownloads(patience), 'ten', next)

const tooMany = (error: unknown): boolean => error instanceof Problem && error.members['code'] === 'too_many_downloads'
const busy = (error: unknown): boolean =>
  error instanceof Problem && error.type === 'service-unavailable' && error.headers['Retry-After'] === '5'

suite('a download', () => {
  test('is not read ahead: one piece is ready, and the next is made when it has been taken', async () => {
    let made = 0
    const stream = await alone(async () => {
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
    const stream = await alone(endless, { stallMs: 20 })
    stream.read(0)
    const [error] = await once(stream, 'error')
    assert.match(error.message, /stopped reading/)
  })

  test('whose reader leaves tells the maker of its pieces, and gives its place back', async () => {
    const downloads = createDownloads()
    const share = shareOf(DOWNLOADS_AT_ONCE)
    const left: boolean[] = []
    const waiting: Next = signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          left.push(true)
          reject(new Error('cancelled'))
        })
      })
    const streams = await Promise.all(Array.from({ length: share }, () => opened(downloads, 'ten', waiting)))
    for (const stream of streams) stream.read(0)
    await assert.rejects(served(downloads, 'ten', endless), tooMany)
    ;(await opened(downloads, 'another', endless)).destroy()
    const [first] = streams
    assert.ok(first)
    first.destroy()
    await once(first, 'close')
    assert.deepEqual(left, [true])
    ;(await opened(downloads, 'ten', endless)).destroy()
    const others = streams.slice(1).map(stream => once(stream, 'error'))
    downloads.abort()
    await Promise.all(others)
    assert.equal(left.length, share)
  })

  test('is one of a limited number per process, whichever tenants they belong to', async () => {
    const downloads = createDownloads()
    const streams = await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, (_, i) => opened(downloads, `ten_${i}`, endless)))
    await assert.rejects(served(downloads, 'another', endless), busy)
    for (const stream of streams) stream.destroy()
  })

  test('whose reader is slow gives its place to the next download where all are taken; one with a fast reader keeps its place', async t => {
    const downloads = createDownloads({ overMs: 20 })
    // A megabyte taken at once counts as half a minute at the required rate.
    const large = Buffer.alloc(1024 * 1024)
    const steady: Next = () => immediate(large)
    const streams = await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, (_, i) => opened(downloads, `ten_${i}`, steady)))
    // Endless streams that are left behind would take the process from all that comes after.
    t.after(() => streams.forEach(each => void each.destroy()))
    const [slow, ...fast] = streams
    for (const stream of fast) stream.resume()
    // A piece counts when the next one is asked for.
    for (let n = 0; n < 2; n++) await Promise.all(fast.map(stream => once(stream, 'data')))
    await assert.rejects(served(downloads, 'another', steady), busy)
    const ended = once(slow as Readable, 'error')
    // The reader takes nothing.
    slow?.read(0)
    const another = await eventually(() => opened(downloads, 'another', steady).catch(() => undefined))
    const [error] = await ended
    assert.match(error.message, /reader is slow/)
    await assert.rejects(served(downloads, 'one more', steady), busy)
    for (const stream of [...fast, another]) stream.destroy()
  })

  test('holds its place before its first row is read, and gives it back where no row is sent', async () => {
    const downloads = createDownloads()
    const { promise: row, reject } = Promise.withResolvers<Streamed>()
    const reading = Array.from({ length: shareOf(DOWNLOADS_AT_ONCE) }, () => downloads.serve('ten', () => row))
    await assert.rejects(served(downloads, 'ten', endless), tooMany)
    reject(new Error('no database'))
    for (const each of reading) await assert.rejects(each, /no database/)
    for (let i = 0; i <= DOWNLOADS_AT_ONCE; i++) (await served(downloads, 'ten', endless)).drop?.()
  })

  test('reads by its tenant’s turn: other tenants’ downloads do not wait for it', async () => {
    const downloads = createDownloads()
    const begun: string[] = []
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const reading = (tenant: string): Promise<Streamed> =>
      downloads.serve(tenant, async ({ read, send }) => {
        await read(() => {
          begun.push(tenant)
          return end
        })
        return { type: 'text/plain', headers: {}, open: () => send(endless) }
      })
    const all = ['greedy', 'greedy', 'greedy', 'modest', 'third', 'fourth'].map(reading)
    await eventually(async () => begun.length === EXPORT_POOL)
    assert.deepEqual(begun, ['greedy', 'modest', 'third', 'fourth'])
    resolve()
    await Promise.all(all)
    assert.equal(begun.length, 6)
  })

  test('whose pieces cannot be made ends in an error, not in silence', async () => {
    const stream = await alone(async () => Promise.reject(new Error('no database')))
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, /no database/)
  })
})
