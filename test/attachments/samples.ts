// Small files of each kind, made of the beginnings by which their formats are known.

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat([...parts.map(each => (typeof each === 'string' ? Buffer.from(each, 'latin1') : Buffer.from(each))), Buffer.alloc(64)])

/** A whole picture of one point. */
export const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

export const FILES = {
  png: PNG,
  jpeg: bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0'),
  gif: bytes('GIF89a', [1, 0, 1, 0]),
  webp: bytes('RIFF', [40, 0, 0, 0], 'WEBPVP8 '),
  mp4: bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0], 'isomiso2'),
  m4a: bytes([0, 0, 0, 24], 'ftypM4A ', [0, 0, 2, 0], 'isomiso2'),
  webm: bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84], 'webm'),
  ogg: bytes('OggS', [0, 2], '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13', 'OpusHead'),
  mp3: bytes('ID3', [3, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64]),
  pdf: bytes('%PDF-1.7\n'),
  html: Buffer.from('<!doctype html><script>alert(document.domain)</script>'),
  svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  text: Buffer.from('Доброго дня! 2 × 3 = 6\n'),
  doc: bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  binary: Buffer.from([1, 2, 3, 0, 255, 254]),
} as const
