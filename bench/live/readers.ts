// Readers of live streams: a plain connection each, which counts the messages that come.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface ReadersAsked {
  address: string
  /** A path and a key for each stream. */
  streams: { path: string; key: string }[]
}

const open = new Set<Socket>()
let messages = 0

/** Opens streams, or closes all (`null`); answers with how many messages came so far. */
process.on('message', async (asked: ReadersAsked | null | 'count') => {
  if (asked === null) for (const socket of open) socket.destroy()
  else if (asked !== 'count')
    for (const each of chunks(asked.streams, 100)) await Promise.all(each.map(stream => read(asked.address, stream)))
  process.send?.(messages)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function read(address: string, { path, key }: { path: string; key: string }): Promise<void> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  open.add(socket)
  socket.once('close', () => open.delete(socket))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`a stream was refused: ${head.toString('latin1')}`)
  socket.on('data', (chunk: Buffer) => {
    messages += chunk.toString('latin1').split('event: message').length - 1
  })
}

function* chunks<T>(all: T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
