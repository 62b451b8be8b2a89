// A reader of live streams, and what changes conversations.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after } from 'node:test'
import type { Changed } from '../../src/live/change.ts'
import { changedPart } from '../../src/live/feed.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../support/eventually.ts'

export interface Told {
  event: string
  id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into data of every shape
  data: any
}

export interface Follower {
  status: number
  headers: IncomingMessage['headers']
  /** Whatever came, comments included. */
  text(): string
  /** The events so far. */
  told(): Told[]
  /** The first event, from now or before, that fits. */
  hears(fits: (told: Told) => boolean): Promise<Told>
  hasEnded(): boolean
  leave(): void
}

export async function follow(url: string, key: string, query = '', headers: Record<string, string> = {}): Promise<Follower> {
  const asked = request(`${url}/api/v1/conversations/live${query}`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
    agent: false,
  })
  asked.on('error', () => {})
  const [response] = (await once(asked.end(), 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  response.on('error', () => {})
  after(() => response.destroy())
  const told = (): Told[] => text.split('\n\n').slice(0, -1).flatMap(read)
  if (response.statusCode !== 200) await once(response, 'end')
  else await eventually(async () => text.length > 0)
  return {
    status: response.statusCode as number,
    headers: response.headers,
    text: () => text,
    told,
    hears: fits => eventually(async () => told().find(fits)),
    hasEnded: () => response.closed,
    leave: () => response.destroy(),
  }
}

function read(block: string): Told[] {
  const lines = Object.fromEntries(block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  return lines['event'] === undefined ? [] : [{ event: lines['event'], id: lines['id'], data: JSON.parse(lines['data'] as string) }]
}

/** Says that these changed, as a verb does that changes them. */
export const change = (sql: Sql, tenant: string, changes: Changed[]): Promise<void> =>
  begin(sql, async tx => void (await tx`${changedPart(tx, tenant, changes)}`))
