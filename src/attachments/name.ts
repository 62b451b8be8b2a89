// Names of files: what a sender calls a file is text of a stranger's, and ends up in headers, in forms and on disks.
import { FILE_NAME_CHARS } from '../limits/attachments.ts'

/** A name without folders, invisible characters and what Windows refuses; undefined where nothing is left of it. */
export function cleanName(name: string | undefined | null): string | undefined {
  if (!name) return undefined
  const clean = name
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .trim()
    // A leading dot hides a file, and a trailing one is dropped by Windows together with what it disguises.
    .replaceAll(/^\.+|[. ]+$/g, '')
  return shortened(clean) || undefined
}

/** Controls, and what turns the direction of writing: `photo[RLO]gpj.exe` reads as `photoexe.jpg`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u{FFFD}]/gu

// Keeps the extension, by which people and programs tell what a file is.
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= FILE_NAME_CHARS) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return (
    characters
      .slice(0, FILE_NAME_CHARS - extension.length)
      .join('')
      .trimEnd() + extension
  )
}

/** The header's value (RFC 6266): the name for old readers, and in UTF-8 for all others. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  const utf8 = encodeURIComponent(name).replaceAll(/['()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${utf8}`}`
}
