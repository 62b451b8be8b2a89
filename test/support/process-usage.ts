// Processor time and memory of processes, from /proc. Processor time tells the cost of work even on a shared machine, where rates say little. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

/** Milliseconds so far, of all its threads. */
export const processorMs = (pid: number): number => stat(pid)?.own ?? 0

/** The same of a process with one thread, as a session of PostgreSQL is: to the microsecond. */
export const sessionMs = (pid: number): number => Number(read(`${pid}/schedstat`)?.split(' ')[0] ?? 0) / 1e6

/** As `processorMs`, with all the processes it started, ended ones included: a PostgreSQL server is one process for each connection. */
export function familyMs(pid: number): number {
  const { own, ended } = stat(pid) ?? { own: 0, ended: 0 }
  return childrenOf(pid).reduce((sum, child) => sum + familyMs(child), own + ended)
}

/** Resident memory of the process and all it started. */
export const familyBytes = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + familyBytes(child), statusBytes(pid, 'VmRSS') ?? 0)

/** The most the process ever had resident itself. Throws when it is gone: 0 would pass every limit. */
export function peakBytes(pid: number): number {
  const bytes = statusBytes(pid, 'VmHWM')
  if (bytes === undefined) throw new Error(`process ${pid} is gone, and with it what it took`)
  return bytes
}

export const parentOf = (pid: number): number => stat(pid)?.parent ?? 0

function stat(pid: number): { parent: number; own: number; ended: number } | undefined {
  // proc(5): after the name, which may hold anything, comes the state, the parent, and from the twelfth on the times.
  const fields = read(`${pid}/stat`)?.split(') ').at(-1)?.split(' ').map(Number)
  if (!fields) return undefined
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent: fields[1] ?? 0, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS }
}

// A process that has ended and was not waited for yet has a status without these lines.
function statusBytes(pid: number, name: 'VmRSS' | 'VmHWM'): number | undefined {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`${pid}/status`) ?? '')?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
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
