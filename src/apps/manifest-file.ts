// A manifest as a file on the command line: read, and told what is wrong with it, where, and what to do.
import { open } from 'node:fs/promises'
import { styleText } from 'node:util'
import { printable } from '../cli/printable.ts'
import { OperatorError } from '../errors.ts'
import { MANIFEST_BYTES } from '../limits/apps.ts'
import type { Finding, Findings } from './manifest/finding.ts'
import type { Source } from './manifest/source.ts'

/** Reads no more than it takes to know that a file is too large. */
export async function readManifest(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch(unreadable(file))
  try {
    const bytes = Buffer.alloc(MANIFEST_BYTES + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length).catch(unreadable(file))
      read = bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await handle.close()
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory; name the file in it',
  EACCES: 'its permissions do not allow it',
}

const unreadable =
  (file: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new OperatorError(`${file} cannot be read: ${REASONS[error.code ?? ''] ?? error.message}.`)
  }

/** For programs: each finding with line and column. */
export const asJson = ({ placeOf }: Source, { errors, warnings }: Findings): Record<string, unknown> => ({
  ok: errors.length === 0,
  errors: errors.map(each => ({ ...each, ...placeOf(each) })),
  warnings: warnings.map(each => ({ ...each, ...placeOf(each) })),
})

/** For people. @param page of the errors' codes */
export function tell(file: string, source: Source, { errors, warnings }: Findings, page: string): void {
  tellGroup(errors, 'red')
  tellGroup(warnings, 'yellow')
  const codes = [...new Set([...errors, ...warnings].map(({ code }) => code))]
  if (codes.length > 0) console.log(['More about each:', ...codes.map(code => `  ${page}#${code}`), ''].join('\n'))
  console.log(summary(file, errors.length, warnings.length))

  function tellGroup(findings: Finding[], color: 'red' | 'yellow'): void {
    if (findings.length === 0) return
    console.log(`${styleText(color, findings === errors ? 'Errors' : 'Warnings')}`)
    const inOrder = findings
      .map(each => ({ ...each, ...source.placeOf(each) }))
      .sort((one, other) => one.line - other.line || one.column - other.column)
    for (const { line, column, path, message, code } of inOrder)
      console.log(
        `  ${file}:${line}:${column}  ${path ? `${styleText('bold', printable(path))}  ` : ''}${printable(message.replace(/\.$/, ''))}  ${styleText('dim', `(${code})`)}`,
      )
    console.log()
  }
}

function summary(file: string, errors: number, warnings: number): string {
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')].join(', ')
  return errors > 0 ? `${file} cannot be installed: ${counts}.` : `${file} can be installed: ${counts}.`
}

const counted = (count: number, noun: string): string => `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`
