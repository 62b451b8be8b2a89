// Names of files that strangers choose.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanName, disposition } from '../../src/attachments/name.ts'

const NAMES: [given: string | null | undefined, kept: string | undefined][] = [
  ['invoice.pdf', 'invoice.pdf'],
  ['Рахунок № 5.pdf', 'Рахунок № 5.pdf'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Users\\a\\b.png', 'C__Users_a_b.png'],
  ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie_ x=1.png'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['a\0b.txt', 'ab.txt'],
  ['half \ud83d a pair.txt', 'half  a pair.txt'],
  ['.bashrc', 'bashrc'],
  ['page.html. . .', 'page.html'],
  ['a"b\'c;d.txt', "a_b'c;d.txt"],
  [`${'я'.repeat(300)}.jpeg`, `${'я'.repeat(195)}.jpeg`],
  ['\u200b\u200e', undefined],
  ['...', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
]

test('a name keeps its letters and its extension, and nothing that leads elsewhere, hides or breaks out', () => {
  for (const [given, kept] of NAMES) assert.equal(cleanName(given), kept, JSON.stringify(given))
})

test('the header’s value has one line of ASCII, and the whole name in UTF-8', () => {
  assert.equal(disposition('inline', 'a b.png'), 'inline; filename="a b.png"')
  assert.equal(
    disposition('attachment', "Звіт (1)'.pdf"),
    `attachment; filename="____ (1)'.pdf"; filename*=UTF-8''%D0%97%D0%B2%D1%96%D1%82%20%281%29%27.pdf`,
  )
  assert.equal(
    disposition('attachment', '100% "sure"\\.txt'),
    `attachment; filename="100_ _sure__.txt"; filename*=UTF-8''100%25%20%22sure%22%5C.txt`,
  )
})
