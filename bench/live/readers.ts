// Readers of live streams: a plain connection each, which notes the messages that come by their numbers.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface ReadersAsked {
  address: string
  /** A path and a key for each stream. */
  streams: { path: string; key: string }[]
}

/** The numbers of the messages that each stream has had, in the order in which the streams were asked for. */
export type Heard = number[][]

const open = new Set<Socket>()
let heard: Set<number>[] = []

/** Opens streams, or closes all (`null`); answers with what came so far. */
process.on('message', async (asked: ReadersAsked | null | 'heard') => {
  if (asked === null) for (const socket of open) socket.destroy()
  else if (asked !== 'heard') {
    heard = asked.streams.map(() => new Set())
    const all = asked.streams.map((stream, n) => ({ stream, numbers: heard[n] as Set<number> }))
    for (const each of chunks(all, 100)) await Promise.all(each.map(({ stream, numbers }) => read(asked.address, stream, numbers)))
  }
  process.send?.(heard.map(numbers => [...numbers]))
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function read(address: string, { path, key }: { path: string; key: string }, numbers: Set<number>): Promise<void> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  open.add(socket)
  socket.once('close', () => open.delete(socket))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`a stream was refused: ${head.toString('latin1')}`)
  let rest = ''
  const take = (chunk: Buffer): void => {
    const events = (rest + chunk.toString('latin1')).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const number = event.includes('event: message') && /"text":"Message (\d+):/.exec(event)?.[1]
      if (number) numbers.add(Number(number))
    }
  }
  take(head)
  socket.on('data', take)
}

function* chunks<T>(all: T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
