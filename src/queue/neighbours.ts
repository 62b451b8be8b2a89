// Where this process runs, and which of its neighbours there have ended: known for certain, as a lost connection is not.
import { readFileSync, readlinkSync } from 'node:fs'

/** Within it a pid is the name of one process at a time: a boot of a machine, and a namespace of it. Null where the system does not say (not Linux). */
export const PLACE: string | null = place()

function place(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/**
 * 'ended': the system has closed its connections, and nothing of it is under way. 'frozen': it is stopped, as by SIGSTOP, and what it has under way
 * stays so. 'unknown' may also be another that was given its pid.
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

/** By the state that the system tells. Nobody has heard yet of the end of a zombie. */
const FATES: Record<string, Fate> = { Z: 'ended', X: 'ended', T: 'frozen', t: 'frozen' }
