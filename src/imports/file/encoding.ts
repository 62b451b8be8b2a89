// The encoding of a file: UTF-8 unless the caller names another. A file that is plainly in another encoding is refused with its name, not imported as noise.
import { isUtf8 } from 'node:buffer'
import { invalid, Problem } from '../../problems.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The encoding that a Content-Type's charset names.
 * @throws {Problem} 415 for a charset that cannot be read
 */
export function encodingOf(charset: string | undefined): Encoding | undefined {
  if (charset === undefined) return undefined
  const known = CHARSETS.get(charset) ?? ENCODINGS.find(each => each === charset)
  if (!known) throw new Problem('unsupported-media-type', `Files are read in ${ENCODINGS.join(', ')}, not in ${charset}.`)
  return known
}

const CHARSETS = new Map<string, Encoding>([
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['cp1251', 'windows-1251'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
])

/** How much of the beginning is examined before any row is read. */
export const HEAD_BYTES = 64 * 1024

/**
 * The file as UTF-8, without its byte order mark.
 * @param asked the encoding that the caller names; undefined: UTF-8
 * @throws {Problem} 422 wrong_encoding if the beginning shows that the file is not UTF-8
 */
export async function* asUtf8(bytes: AsyncIterable<Buffer>, asked: Encoding | undefined): AsyncGenerator<Buffer> {
  const encoding = asked ?? 'utf-8'
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding)
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (!head) {
      yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < HEAD_BYTES) continue
    yield begin(head)
    head = undefined
  }
  if (head) yield begin(head)
  if (decoder) yield Buffer.from(decoder.decode())

  function begin(first: Buffer): Buffer {
    if (decoder) return Buffer.from(decoder.decode(first, { stream: true }))
    refuseOther(first)
    return first.subarray(0, 3).equals(MARK) ? first.subarray(3) : first
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

function refuseOther(head: Buffer): void {
  const other = otherThanUtf8(head)
  if (other) throw wrong(other)
}

/** The encoding of bytes that are not UTF-8: told by their mark, by the positions of zero bytes, or by invalid sequences. */
function otherThanUtf8(head: Buffer): Encoding | undefined {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be'
  // Cut at the end of a line, so that no character is cut in two.
  const end = head.length < HEAD_BYTES ? head.length : head.lastIndexOf(0x0a) + 1
  if (isUtf8(head.subarray(0, end))) return undefined
  return isCyrillic(head.subarray(0, end)) ? 'windows-1251' : 'windows-1252'
}

/** Cyrillic words are of such bytes alone, and Western ones have one here and there. */
function isCyrillic(bytes: Buffer): boolean {
  let [high, together] = [0, 0]
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue
    high++
    if ((bytes[index + 1] ?? 0) >= 0x80) together++
  }
  return together > high / 2
}

const NAMES: Partial<Record<Encoding, string>> = { 'windows-1251': 'Windows-1251 (Cyrillic)', 'windows-1252': 'Windows-1252 (Latin-1)' }

function wrong(encoding: Encoding): Problem {
  const name = NAMES[encoding] ?? encoding.toUpperCase()
  return invalid({
    field: '',
    code: 'wrong_encoding',
    message: `The file is not UTF-8; it looks like ${name}. Save it as UTF-8, or say encoding=${encoding}.`,
  })
}
