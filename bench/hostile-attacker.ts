// Sends bodies made to cost much, one after the other, and reports the cost of each to web. A process of its own, for making them takes long too.

import { loadConfig } from '../src/config.ts'
import { type BodyRoute, takesJson } from '../src/ingress/body.ts'
import { restRoutes } from '../src/rest.ts'
import { fullestBodies, type Hostile, hostileBodies, sendTo } from '../test/support/hostile.ts'
import { familyBytes, processorMs } from '../test/support/process-usage.ts'

/** The cost of one body. */
export interface Cost {
  what: string
  status: number
  /** The answer's status. */
  bytes: number
  /** Processor time of web, and web's resident memory afterwards. */
  ms: number
  resident: number
}

export type Attack = 'right' | 'one' | 'all'

const [address = '', pid = '', ...keys] = process.argv.slice(2)
const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: address })
// No route is called.
const routes = restRoutes(config, {} as never, {} as never).routes.filter(takesJson)
let turn = 0

process.on('message', async (attack: Attack) => {
  const costs: Cost[] = []
  for (const route of routes)
    for (const each of attack === 'right' ? fullestBodies(route, 'right') : hostileBodies(route, attack))
      costs.push(await send(route, each))
  process.send?.(costs)
})
process.send?.({ ready: true })

async function send(route: BodyRoute, { what, body }: Hostile): Promise<Cost> {
  const before = processorMs(Number(pid))
  const { status, text } = await sendTo(address, route, keys[turn++ % keys.length] as string, body)
  const ms = processorMs(Number(pid)) - before
  return { what: `${route.method} ${route.path}, ${what}`, status, bytes: text.length, ms, resident: familyBytes(Number(pid)) }
}
