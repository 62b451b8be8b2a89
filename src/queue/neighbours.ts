// The machine and pid namespace of this process, and which processes there have ended: a certain sign of death, as a lost connection is not.
import { readFileSync, readlinkSync } from 'node:fs'

/** Where a pid names one process at a time: one boot of a machine, and one pid namespace on it. Null where the system does not tell (not Linux). */
export const PLACE: string | null = place()

function place(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/**
 * 'ended': the system has closed its connections, and none of its work is under way. 'frozen': it is stopped, as by SIGSTOP, and so is its work.
 * 'unknown': it lives, or another process has its pid, or the system does not tell.
 */
export type Fate = 'ended' | 'frozen' | 'unknown'

export function fateOf(neighbour: { place: string | null; pid: number }): Fate {
  if (PLACE === null || neighbour.place !== PLACE) return 'unknown'
  try {
    const status = readFileSync(`/proc/${neighbour.pid}/stat`, 'utf8')
    return FATES[status.charAt(status.lastIndexOf(')') + 2)] ?? 'unknown'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ESRCH' ? 'ended' : 'unknown'
  }
}

/** By the state in /proc. A zombie has ended, but its parent has not collected it yet. */
const FATES: Record<string, Fate> = { Z: 'ended', X: 'ended', T: 'frozen', t: 'frozen' }
