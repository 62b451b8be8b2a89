// What a file is, by its content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kindOf } from '../../src/attachments/kind.ts'
import { drawn } from '../support/random.ts'
import { FILES } from './samples.ts'

const KINDS: [file: keyof typeof FILES, claimed: string | undefined, name: string | undefined, type: string, mime: string][] = [
  ['png', undefined, undefined, 'image', 'image/png'],
  ['jpeg', 'image/jpeg', 'a.jpg', 'image', 'image/jpeg'],
  ['gif', undefined, undefined, 'image', 'image/gif'],
  ['webp', undefined, undefined, 'image', 'image/webp'],
  ['mp4', 'video/mp4', undefined, 'video', 'video/mp4'],
  ['m4a', undefined, undefined, 'audio', 'audio/mp4'],
  ['mp3', undefined, undefined, 'audio', 'audio/mpeg'],
  ['ogg', undefined, undefined, 'audio', 'audio/ogg'],
  ['pdf', 'application/pdf', 'a.pdf', 'file', 'application/pdf'],
  ['text', 'text/plain', 'a.txt', 'file', 'text/plain'],
  ['binary', undefined, undefined, 'file', 'application/octet-stream'],
  // A container that holds either: what is said of it counts.
  ['mp4', 'audio/mp4', 'voice.m4a', 'audio', 'audio/mp4'],
  ['webm', 'audio/webm;codecs=opus', undefined, 'audio', 'audio/webm'],
  ['webm', undefined, undefined, 'video', 'video/webm'],
  // An old office file: its name says which.
  ['doc', undefined, 'offer.XLS', 'file', 'application/vnd.ms-excel'],
  ['doc', undefined, 'offer.bin', 'file', 'application/x-cfb'],
  ['doc', undefined, 'offer.constructor', 'file', 'application/x-cfb'],
  // Lies.
  ['html', 'image/png', 'photo.png', 'file', 'text/plain'],
  ['svg', 'image/svg+xml', 'photo.svg', 'file', 'application/xml'],
  ['png', 'text/html', 'page.html', 'image', 'image/png'],
  ['pdf', 'video/mp4', 'film.mp4', 'file', 'application/pdf'],
  ['binary', 'image/jpeg', 'photo.jpg', 'file', 'application/octet-stream'],
]

test('the kind of a file is what its content says, whatever is claimed', async () => {
  for (const [file, claimed, name, type, mime_type] of KINDS)
    assert.deepEqual(await kindOf(FILES[file], claimed, name), { type, mime_type }, `${file} claimed as ${claimed} ${name}`)
})

test('a text with a NUL is none', async () => {
  assert.deepEqual(await kindOf(Buffer.from('a\0b'), 'text/plain', 'a.txt'), { type: 'file', mime_type: 'application/octet-stream' })
})

test('no beginning of a file is an error, nor takes long: any bytes, and any behind the beginnings of known formats', async () => {
  const heads = fc.constantFrom(...Object.values(FILES))
  await fc.assert(
    fc.asyncProperty(heads, fc.nat({ max: 80 }), fc.uint8Array({ maxLength: 4_000 }), async (head, kept, rest) => {
      const since = performance.now()
      const { type, mime_type } = await kindOf(Buffer.concat([head.subarray(0, kept), rest]), undefined, undefined)
      assert.match(`${type} ${mime_type}`, /^(image|video|audio|file) [a-z]+\/[\w.+-]+$/)
      assert.ok(performance.now() - since < 5_000)
    }),
    drawn(300),
  )
})
