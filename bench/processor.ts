// What processes take, from /proc. Processor time tells what work costs also where the machine is shared and rates say little. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

/** Milliseconds so far, of all its threads. */
export const processorMs = (pid: number): number => stat(pid)?.own ?? 0

/** With all it started, what has ended of that included: a PostgreSQL server is one process for each connection. */
export function familyMs(pid: number): number {
  const { own, ended } = stat(pid) ?? { own: 0, ended: 0 }
  return childrenOf(pid).reduce((sum, child) => sum + familyMs(child), own + ended)
}

/** Resident memory of the process and all it started. */
export function familyBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`${pid}/status`) ?? '')?.[1]
  return childrenOf(pid).reduce((sum, child) => sum + familyBytes(child), Number(kibibytes ?? 0) * 1024)
}

export const parentOf = (pid: number): number => stat(pid)?.parent ?? 0

function stat(pid: number): { parent: number; own: number; ended: number } | undefined {
  // proc(5): after the name, which may hold anything, comes the state, the parent, and from the twelfth on the times.
  const fields = read(`${pid}/stat`)?.split(') ').at(-1)?.split(' ').map(Number)
  if (!fields) return undefined
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent: fields[1] ?? 0, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS }
}

const childrenOf = (pid: number): number[] =>
  tasksOf(pid).flatMap(task => (read(`${pid}/task/${task}/children`) ?? '').split(' ').filter(Boolean).map(Number))

// Any of them may end while we look.
function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
