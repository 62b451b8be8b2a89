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

test('a text is one in any encoding: UTF-16 by its mark, and those with a byte for each letter', async () => {
  const cyrillic = 'Добрий день! Ціна: 100 грн.\r\n'
  const windows1251 = Buffer.from(
    [...'\xc4\xee\xe1\xf0\xe8\xe9 \xe4\xe5\xed\xfc! \xd6\xb3\xed\xe0: 100 \xe3\xf0\xed.\r\n'].map(each => each.charCodeAt(0)),
  )
  assert.equal(new TextDecoder('windows-1251').decode(windows1251), cyrillic)
  const utf16 = Buffer.from(`\ufeff${cyrillic}`, 'utf16le')
  const texts = [windows1251, utf16, Buffer.from(utf16).swap16(), utf16.subarray(0, 41), Buffer.from('Ch\xe2teau\n', 'latin1')]
  for (const text of texts) assert.equal((await kindOf(text, undefined, undefined)).mime_type, 'text/plain')
  const others = [Buffer.concat([utf16, Buffer.from([1, 0])]), utf16.subarray(2), Buffer.concat([windows1251, Buffer.from([1])])]
  for (const other of others) assert.equal((await kindOf(other, 'text/plain', 'a.txt')).mime_type, 'application/octet-stream')
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
