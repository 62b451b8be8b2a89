// Another tenant that asks for a list while something goes on, which it must not notice.
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../src/access/keys.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import type { Environment } from './environment.ts'
import type { Server } from './servers.ts'

const ASK_EVERY_MS = 20
/** A key reads 600 times a minute. */
const KEYS = 20

export type Asking = () => Promise<void>

/** A key of a tenant of its own. */
export async function aKey({ db: { sql } }: Environment): Promise<string> {
  const { id } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  return (await createKey(sql, { tenant: id, kind: 'rest', scopes: ['read', 'write'] })).key
}

// One request now and then over one connection, as a person's page makes them: its own load must not be measured.
export async function aBystander(environment: Environment, web: Server): Promise<Asking> {
  const keys = await Promise.all(Array.from({ length: KEYS }, () => aKey(environment)))
  let turn = 0
  return async () => {
    const response = await fetch(`${web.address}/api/v1/products`, { headers: { Authorization: `Bearer ${keys[turn++ % keys.length]}` } })
    await response.arrayBuffer()
  }
}

/** Milliseconds, until `during` is over. */
export async function p99During(ask: Asking, during: Promise<unknown>): Promise<number> {
  const took: number[] = []
  let over = false
  const end = () => {
    over = true
  }
  during.then(end, end)
  while (!over) {
    const began = performance.now()
    await ask()
    took.push(performance.now() - began)
    await delay(ASK_EVERY_MS)
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] as number
}
