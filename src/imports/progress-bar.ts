// An import's progress on a terminal: one line that is written over. Where nobody looks on, a line now and then.
import type { Import } from './schema.ts'

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
