// A folder of text files as npm packs it: a gzipped tar (POSIX ustar) with everything under package/. The same files make the same bytes.
import { gzipSync } from 'node:zlib'

const BLOCK = 512

/** @param files texts by their names, of at most 90 characters */
export function tarball(files: Map<string, string>): Buffer {
  const entries = [...files].flatMap(([name, text]) => entry(`package/${name}`, Buffer.from(text)))
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]))
}

function entry(name: string, body: Buffer): Buffer[] {
  return [header(name, body.length), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${octal(size, 11)}\0`, 124)
  // 1985-10-26, as npm has it: the time of packing would make every package different.
  block.write(`${octal(499_162_500, 11)}\0`, 136)
  // The checksum is computed with blanks in its own place.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
