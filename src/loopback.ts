// Servers of the command line, which show a person what the service sends: they listen on loopback alone. And ports for programs that do.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

// Importing it would load Node's own fetch too (test/architecture.test.ts).
const http = process.getBuiltinModule('node:http')

export interface Loopback {
  url: string
  close(): Promise<void>
}

/** @param port 0: any free one. @throws the error of listening, such as EADDRINUSE */
export async function listenOnLoopback(port: number, serve: RequestListener): Promise<Loopback> {
  const server = http.createServer(serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** How many ports to choose from. Below them are those of well-known servers. */
const CHOICE = 12_000
const LEAST_PORT = 1_024
/** What Linux gives to connections and to servers without a port. */
const GIVEN_PORTS = '/proc/sys/net/ipv4/ip_local_port_range'

/**
 * A port of 127.0.0.1 on which nothing listens, for a program that is told where to. It is one that the system gives to no connection: one of those would be
 * taken before the program has it, or while the program restarts.
 * @param wanted taken where it is free
 * @param below the least port that the system gives to connections; 0: not known
 */
export async function freePort(wanted?: number, below = leastGivenPort()): Promise<number> {
  if (wanted !== undefined && (await isFree(wanted))) return wanted
  const least = Math.max(LEAST_PORT, below - CHOICE)
  const count = below - least
  const start = Math.floor(Math.random() * count)
  for (let n = 0; n < count; n++) {
    const port = least + ((start + n) % count)
    if (await isFree(port)) return port
  }
  return probed(0)
}

function leastGivenPort(): number {
  try {
    return Number.parseInt(readFileSync(GIVEN_PORTS, 'utf8'), 10)
  } catch {
    return 0
  }
}

// Whatever keeps one port from being used, such as a firewall of the system's, another may be free.
const isFree = (port: number): Promise<boolean> =>
  probed(port).then(
    () => true,
    () => false,
  )

async function probed(port: number): Promise<number> {
  const probe = await listenOnLoopback(port, () => {})
  await probe.close()
  return Number(new URL(probe.url).port)
}

/** @returns undefined where the sender broke off, or sent more than this many bytes */
export async function wholeBody(request: IncomingMessage, mostBytes = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > mostBytes) return undefined
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
