// Processor time of processes, from /proc: it tells what work costs also where the machine is shared and rates say little. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

/** Milliseconds so far, of all its threads. */
export const processorMs = (pid: number): number => read(pid)?.own ?? 0

/** With its children, those that have ended included: a PostgreSQL server is one process for each connection. */
export function familyMs(pid: number): number {
  const children = readdirSync('/proc').map(name => (/^\d+$/.test(name) ? read(Number(name)) : undefined))
  const { own, ended } = read(pid) ?? { own: 0, ended: 0 }
  return children.reduce((sum, each) => sum + (each?.parent === pid ? each.own : 0), own + ended)
}

function read(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): after the name, which may hold anything, comes the state, the parent, and from the twelfth on the times.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    return { parent: fields[1] ?? 0, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS }
  } catch {
    return undefined
  }
}
