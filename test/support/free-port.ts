// For a service that must know its address before it listens.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to connections and to servers without a port: one of theirs would be taken again before the service has it. */
const [LEAST, MOST] = [20_000, 32_000]

/** A port of 127.0.0.1 that nothing listens on, and that nothing is given by chance. */
export async function freePort(): Promise<number> {
  const port = Math.floor(LEAST + Math.random() * (MOST - LEAST))
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  await new Promise(done => server.close(done))
  return port
}
