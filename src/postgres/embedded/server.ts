// The server process of the embedded database: found by its postmaster.pid, started detached, stopped by a fast shutdown.
// PostgreSQL itself allows one server for a data folder, so a process that loses the race to start it finds the winner's.
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../loopback.ts'
import { binaries } from './binaries.ts'
import { appendToOwn, readOwn } from './files.ts'
import { complaint, type Home, isAlive, POSTGRES_ENV, settledAccount } from './home.ts'

export type Settings = Record<string, string>

/** Settings for one machine with a few processes. */
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  // Queries are short, and parallel ones need more shared memory than containers give.
  max_parallel_workers_per_gather: '0',
  // Pending deliveries and jobs leave hundreds of dead rows a second: after a minute without a vacuum every read of these tables is slow.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The statements of failed queries hold customers' data.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
const STOP_LIMIT_MS = 60_000
/** A larger log becomes `log.1` at the next start. */
const LOG_MAX_BYTES = 10_000_000
const REAP_LIMIT_MS = 500

/** The server of this data folder, whichever process started it: also one left behind by a killed process. */
export function findServer({ data }: Home): { pid: number; port: number } | undefined {
  const [pid, , , port] = postmasterFile(data).map(Number)
  if (!pid || !port || !serves(pid, data)) return undefined
  return { pid, port }
}

// The lines of the file: process id, data folder, start time, port, …
function postmasterFile(data: string): string[] {
  try {
    return readOwn(join(data, 'postmaster.pid')).split('\n')
  } catch {
    return []
  }
}

// A process id may be in use again (in a container, at once), so it counts only if that process works in this folder.
function serves(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (error) {
    // ENOENT: a zombie, unless there is no /proc at all. EACCES: another user's process, so its folder is unknown.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || process.platform !== 'linux'
  }
}

export interface Launch {
  /** Undefined while the process runs; afterwards the reason that it logged. */
  failure(): string | undefined
}

/**
 * Starts `postgres` in a process group of its own, so that a Ctrl-C reaches this process alone, which stops the database last.
 * @param port undefined: any free one
 */
export async function launchServer(home: Home, settings: Settings, port: number | undefined): Promise<Launch> {
  forgetDeadServer(home.data)
  const account = settledAccount(home)
  const log = openLog(home.folder)
  const options = { ...SETTINGS, ...settings, port: String(port ?? (await freePort())) }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(binaries(account).bin, 'postgres'), ['-D', home.data, ...args], {
    ...account,
    cwd: '/',
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
  })
  closeSync(log.descriptor)
  child.unref()
  let ended: string | undefined
  child.on('error', error => {
    ended = error.message
  })
  child.on('exit', (code, signal) => {
    ended ??= `it ended with ${code ?? signal}; see ${log.path}`
  })
  return { failure: () => ended && (complaint(readOwn(log.path, log.start)) ?? ended) }
}

// After a kill -9, PostgreSQL refuses to start while any process of its user has the old server's id.
function forgetDeadServer(data: string): void {
  const pid = Number(postmasterFile(data)[0])
  if (pid && isAlive(pid) && !serves(pid, data)) rmSync(join(data, 'postmaster.pid'), { force: true })
}

function openLog(folder: string): { path: string; descriptor: number; start: number } {
  const path = join(folder, 'log')
  const descriptor = appendToOwn(path)
  const { size } = fstatSync(descriptor)
  if (size <= LOG_MAX_BYTES) return { path, descriptor, start: size }
  closeSync(descriptor)
  renameSync(path, `${path}.1`)
  return openLog(folder)
}

/** A fast shutdown: connections are ended, everything is written, and the process is gone when this resolves. */
export async function stopServer(home: Home): Promise<void> {
  const server = findServer(home)
  if (!server) return
  process.kill(server.pid, 'SIGINT')
  const stopped = await within(STOP_LIMIT_MS, () => !serves(server.pid, home.data))
  if (!stopped) throw new Error(`The embedded PostgreSQL (process ${server.pid}) did not stop; see ${join(home.folder, 'log')}.`)
  // The server has ended. A child of this process is reaped at once; an orphan's new parent may never reap it.
  await within(REAP_LIMIT_MS, () => !isAlive(server.pid))
}

async function within(limit: number, done: () => boolean): Promise<boolean> {
  for (const deadline = performance.now() + limit; !done(); await delay(10)) if (performance.now() > deadline) return false
  return true
}
