// An app and its service for experiments with flows: it keeps a book of what it was asked, and of the faults that met its requests.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../src/config.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { aManifest, installApp } from '../../test/support/apps.ts'
import type { Random } from '../../test/support/random.ts'

export interface PointsService {
  origin: string
  /** Keys of the requests that it holds. */
  held(): string[]
  hasJustAnswered(): boolean
  /** A fault happens: it meets what is held, and what was answered a moment ago. */
  meetFault(): void
  requests(): number
  met(): number
  keys(): number
  /** Requests beyond what a key may have. */
  excess(): { key: string; requests: number; met: number }[]
  close(): void
}

/** How long an answer is on its way, and recorded, at most: until then a fault may take it away. */
const ON_ITS_WAY_MS = 3_000
/** The longest that it takes for an answer. */
export const HELD_MS = 150
/** Requests that are answered by 500, and then repeated. */
const FAILING = 0.1

export async function startPointsService(random: Random): Promise<PointsService> {
  const book = new Map<string, { requests: number; met: number; answeredAt: number; held: number }>()
  const server = createServer(async (request, response) => {
    for await (const _chunk of request);
    const key = String(request.headers['idempotency-key'])
    const entry = book.get(key) ?? { requests: 0, met: 0, answeredAt: 0, held: 0 }
    book.set(key, entry)
    entry.requests++
    entry.held++
    await delay(random.between(0, HELD_MS))
    entry.held--
    entry.answeredAt = Date.now()
    const status = entry.requests === 1 && random.next() < FAILING ? 500 : 200
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"points":12}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const entries = () => [...book.entries()]
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => entries().flatMap(([key, { held }]) => (held > 0 ? [key] : [])),
    hasJustAnswered: () => entries().some(([, { answeredAt }]) => Date.now() - answeredAt < 20),
    meetFault() {
      for (const [, entry] of entries()) if (entry.held > 0 || Date.now() - entry.answeredAt < ON_ITS_WAY_MS) entry.met++
    },
    requests: () => entries().reduce((sum, [, { requests }]) => sum + requests, 0),
    met: () => entries().filter(([, { met }]) => met > 0).length,
    keys: () => book.size,
    excess: () => entries().flatMap(([key, { requests, met }]) => (requests > 2 + met ? [{ key, requests, met }] : [])),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Awards points to each new contact: tells the team, asks the service, keeps a record, waits, and tags. */
export async function installPointsApp(sql: Sql, tenant: string, secretKey: string, origin: string): Promise<void> {
  const manifest = aManifest({
    id: 'acme:points',
    scopes: ['subscribe:contact.created', 'notify:team', 'read:records', 'write:records', 'write:contacts'],
    resources: [{ id: 'points', name: 'Points', fields: [{ name: 'points', type: 'number' }] }],
    skills: [{ id: 'award', name: 'Award', description: 'Awards points.', endpoint: `${origin}/award`, inputSchema: { type: 'object' } }],
    flows: [
      {
        id: 'award',
        name: 'Award',
        trigger: 'contact.created',
        steps: [
          { id: 'tell', type: 'notify', title: 'A contact', body: '{{event.contact_id}}' },
          { id: 'award', type: 'call_skill', skill: 'award', input: { contact: '{{event.contact_id}}' } },
          {
            id: 'keep',
            type: 'create_record',
            resource: 'points',
            values: { points: '{{steps.award.output.points}}' },
            external_id: '{{event.contact_id}}',
          },
          { id: 'pause', type: 'wait', minutes: 1 },
          { id: 'tag', type: 'tag_contact', tag: 'awarded' },
        ],
      },
    ],
  })
  const { outbound } = loadConfig({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  await installApp({ sql, keyring: parseKeyring(secretKey) as Keyring, config: { outbound } as never }, { id: tenant }, manifest)
}
