// An import's progress on a terminal: one line that is written over. Where nobody looks on, a line now and then.
import type { Import } from './schema.ts'

/** While the file is read: for its beginning, of which the store knows nothing yet. @param size in bytes */
export function showReading(file: string, size: number, shown: boolean): (read: number) => void {
  let saidAt = 0
  return read => {
    if (!shown || !process.stderr.isTTY || performance.now() - saidAt < LIVE_EVERY_MS) return
    saidAt = performance.now()
    process.stderr.write(`\r\x1b[2KReading ${file}: ${size > 0 ? Math.floor((100 * read) / size) : 100} %`)
  }
}

const LIVE_EVERY_MS = 100
const QUIET_EVERY_MS = 10_000
const WIDTH = 24

/** @param shown whether anything is: stderr is spared where a program reads along */
export function showProgress(resource: string, shown: boolean): (now: Import) => void {
  const live = process.stderr.isTTY
  let saidAt = performance.now()
  return now => {
    const over = now.status !== 'queued' && now.status !== 'running'
    if (!shown || (!live && performance.now() - saidAt < QUIET_EVERY_MS)) return
    saidAt = performance.now()
    process.stderr.write(live ? `\r\x1b[2K${line(resource, now)}${over ? '\n' : ''}` : `${line(resource, now)}\n`)
  }
}

/** `[######------] 50 %  500 of 1,000 products, 1,234/s, 1 s left, 3 failed` */
function line(resource: string, { rows_read, rows_total, rows_per_second, seconds_left, failed, error }: Import): string {
  const total = rows_total ?? rows_read
  const share = total === 0 ? 1 : rows_read / total
  const full = Math.floor(share * WIDTH)
  const parts = [
    `${whole(rows_read)} of ${whole(total)} ${resource}`,
    rows_per_second !== null && `${whole(Math.round(rows_per_second))}/s`,
    seconds_left !== null && `${whole(seconds_left)} s left`,
    failed > 0 && `${whole(failed)} failed`,
    error?.message,
  ]
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${Math.floor(share * 100)} %  ${parts.filter(Boolean).join(', ')}`
}

const whole = (count: number): string => count.toLocaleString('en')
