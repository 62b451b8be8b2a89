// Parts of a file that a caller asks for (RFC 9110 §14): one range of bytes. For several at once the whole file is sent, as the RFC allows.

/** Bytes from `from` up to and without `to`. */
export interface Span {
  from: number
  to: number
}

/**
 * @param range the header of the request
 * @param ifRange its If-Range: the part is wanted only of this very file, else the whole
 * @returns undefined: the whole file; `unsatisfiable`: there is no such part
 */
export function spanOf(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  size: number,
): Span | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes *= *(\d{0,15}) *- *(\d{0,15})$/i.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  // A weak tag or a date says too little for a part of a file.
  if (ifRange !== undefined && ifRange.trim() !== etag) return undefined
  if (first === '')
    return last !== '' && Number(last) > 0 && size > 0 ? { from: Math.max(0, size - Number(last)), to: size } : 'unsatisfiable'
  const from = Number(first)
  const to = last === '' ? size : Math.min(size, Number(last) + 1)
  // A last byte before the first is no range at all.
  if (last !== '' && Number(last) < from) return undefined
  return from < size ? { from, to } : 'unsatisfiable'
}
