// Counts a process's statements on their way to the database: every Execute and every simple Query is one.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { serverOf } from './database.ts'

export interface Counter {
  /** The same database, by way of the counter. */
  url: string
  /** Statements so far, BEGIN and COMMIT included. */
  statements(): number
  close(): Promise<void>
}

const EXECUTE = 'E'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)

export async function openCounter(databaseUrl: string): Promise<Counter> {
  let statements = 0
  const server = createServer({ noDelay: true }, near => {
    const far = connect({ ...serverOf(databaseUrl), noDelay: true })
    near.on(
      'data',
      messageReader(type => (statements += Number(type === EXECUTE || type === QUERY))),
    )
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => [near, far].map(each => each.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    statements: () => statements,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** Given bytes as they come, reports the type of each message. The first of a connection has none; all have a length, which counts itself. */
function messageReader(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let skip = 0
  let typeBytes = 0
  return chunk => {
    let bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const passed = Math.min(skip, bytes.length)
      skip -= passed
      bytes = bytes.subarray(passed)
      if (skip > 0 || bytes.length < typeBytes + 4) break
      if (typeBytes > 0) onMessage(bytes[0] as number)
      skip = typeBytes + bytes.readUInt32BE(typeBytes)
      typeBytes = 1
    }
    rest = Buffer.from(bytes)
  }
}
