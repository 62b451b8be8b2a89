// Servers of the command line, which show a person what the service sends: they listen on loopback alone. And ports for programs that do.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  url: string
  close(): Promise<void>
}

/** @param port 0: any free one. @throws the error of listening, such as EADDRINUSE */
export async function listenOnLoopback(port: number, serve: RequestListener): Promise<Loopback> {
  const server = createServer(serve)
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

/** Below those that systems give to connections and to servers without a port: one of theirs would be taken again before the program has it. */
const [LEAST_PORT, MOST_PORT] = [20_000, 32_000]

/** A port of 127.0.0.1 on which nothing listens, for a program that is told where to. @param wanted taken where it is free */
export async function freePort(wanted = Math.floor(LEAST_PORT + Math.random() * (MOST_PORT - LEAST_PORT))): Promise<number> {
  const probe = await listenOnLoopback(wanted, () => {}).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
  })
  if (!probe) return freePort()
  await probe.close()
  return wanted
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
