// The least that a message can take on its way where a worker applies it, durably and in order: the accepted row, one wake-up of another process, one
// transaction that writes the rows that we write, one wake-up back, one read, one line. Nothing is checked, looked up twice or decided, and nothing may fail.
// Two processes: `web` takes callbacks and streams, `worker` applies.
import Fastify from 'fastify'
import { insertAll, type Kept, note } from '../../src/callbacks/store.ts'
import type { ContactSnapshot } from '../../src/contacts/schema.ts'
import { addMessage, exchange, newChange, snapshots, writeAll } from '../../src/conversations/change.ts'
import { heard } from '../../src/conversations/conversation.ts'
import { MessageReceived } from '../../src/conversations/events.ts'
import { newMessage } from '../../src/conversations/message.ts'
import { asHeld, type HeldRow, heldColumns } from '../../src/conversations/store.ts'
import type { EventDraft } from '../../src/events/emit.ts'
import { newId } from '../../src/ids.ts'
import { batched } from '../../src/postgres/batch.ts'
import { listen } from '../../src/postgres/listen.ts'
import { columns } from '../../src/postgres/row-set.ts'
import { ahead, beginBriefly, commitBehind, openDatabase, SHARED_AT_A_TIME, type Tx } from '../../src/postgres/sql.ts'
import { reportReady, runUntilSignal } from '../../src/process.ts'
import { streamsOf } from './streams.ts'

const [databaseUrl = '', role] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { name: `shopdesk bench floor ${role}` })
/** Rows of what comes or is told: a message of NOTIFY may have 8 000 bytes. */
const TOGETHER = 64

interface Row {
  tenant: string
  id: string
}

/** Words for the other process, on a channel of NOTIFY; those of one moment go together. */
const telling = (channel: string) =>
  batched<Row, void>(async rows => {
    const text = rows.map(({ tenant, id }) => `${tenant} ${id}`).join(' ')
    await db.sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${text})`
    return rows.map(() => undefined)
  }, TOGETHER)

const underWay = new Set<Promise<void>>()
/** Work that nothing awaits: the end of the process does. */
function follow(work: Promise<void>): void {
  const followed = work.finally(() => underWay.delete(followed))
  underWay.add(followed)
}

function followAll(rows: Row[], work: (row: Row) => Promise<void>): void {
  for (const row of rows) follow(work(row))
}

async function ended(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay)
}

function toldIn(message: string): Row[] {
  const words = message.split(' ')
  return Array.from({ length: words.length / 2 }, (_, at) => ({ tenant: words[2 * at] as string, id: words[2 * at + 1] as string }))
}

async function web(): Promise<void> {
  const tell = telling('floor_kept')
  const insert = batched<Kept, void>(
    async batch => {
      await insertAll(db.sql, batch)
      return batch.map(() => undefined)
    },
    500,
    SHARED_AT_A_TIME,
  )
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post<{ Params: { tenant: string; id: string } }>('/:tenant/:id', async ({ params: { tenant, id: source }, body }, reply) => {
    const id = newId('cbk')
    await insert({ tenant, source, id, text: body as string })
    follow(tell({ tenant, id: source }))
    return reply.type('application/json; charset=utf-8').send(`{"object":"callback","id":"${id}"}`)
  })
  const send = streamsOf(app)
  const show = batched<Row, void>(async rows => {
    const found = await db.sql<{ tenant_id: string; doc: string }[]>`
      select m.tenant_id, m.doc
        from ${ROW.of(rows.map(({ tenant, id }) => ({ tenant_id: tenant, id })))}
        join messages m on m.tenant_id = r.tenant_id and m.id = r.id`
    for (const { tenant_id, doc } of found) send(tenant_id, doc)
    return rows.map(() => undefined)
  })
  const listening = listen(
    databaseUrl,
    'floor_written',
    message => followAll(toldIn(message), show),
    () => {},
  )
  reportReady({ ready: await app.listen({ host: '127.0.0.1', port: 0 }) })
  await runUntilSignal(async () => {
    app.server.closeAllConnections()
    await app.close()
    await listening.close()
    await ended()
    await db.close()
  })
}

async function worker(): Promise<void> {
  const tell = telling('floor_written')
  const apply = batched<Row, void>(async sources => {
    const written = await beginBriefly(db.sql, tx => write(tx, sources))
    for (const each of written) follow(tell(each))
    return sources.map(() => undefined)
  }, TOGETHER)
  const listening = listen(
    databaseUrl,
    'floor_kept',
    message => followAll(toldIn(message), apply),
    () => reportReady({ ready: true }),
  )
  await runUntilSignal(async () => {
    await listening.close()
    await ended()
    await db.close()
  })
}

const ROW = columns({ tenant_id: 'text', id: 'text' })

interface ClaimedRow extends HeldRow {
  tenant_id: string
  callback_id: string
  body: string
}

/** Applies what waits of these sources: one statement reads and locks it, one writes. @returns the messages */
async function write(tx: Tx, sources: Row[]): Promise<Row[]> {
  const unique = [...new Map(sources.map(each => [each.id, each])).values()]
  const rows = await tx<ClaimedRow[]>`
    select c.tenant_id, c.id as callback_id, c.body, ${heldColumns}
      from ${ROW.of(unique.map(({ tenant, id }) => ({ tenant_id: tenant, id })))}
     cross join lateral (
       select c.tenant_id, c.source_id, c.id, c.body, c.body::json -> 'from' ->> 'id' as thread
         from callbacks c
        where c.tenant_id = r.tenant_id and c.source_id = r.id and c.status = 'waiting'
        order by c.due_at, c.id
          for update) c
      join conversations t on t.tenant_id = c.tenant_id and t.channel_id = c.source_id and t.thread = c.thread and t.status = 'open'
       for no key update of t`
  if (rows.length === 0) return []
  const changes = [...Map.groupBy(rows, row => row.tenant_id).values()].map(changeOf)
  ahead(tx, writeAll(tx, changes))
  const notes = [...Map.groupBy(rows, row => row.tenant_id)].flatMap(([tenant, each]) =>
    each.map(({ callback_id, json }) => ({
      source: { tenant, id: (JSON.parse(json) as { channel_id: string }).channel_id },
      notes: [{ id: callback_id, status: 'applied' as const, reason: null, attempts: 1, threads: null, dueAt: null }],
    })),
  )
  ahead(tx, note(tx, notes))
  commitBehind(tx)
  return changes.flatMap(({ caller, written }) => [...written.added].map(id => ({ tenant: caller.tenant, id })))
}

function changeOf(rows: ClaimedRow[]) {
  const caller = { tenant: (rows[0] as ClaimedRow).tenant_id, actor: { type: 'system' as const } }
  const change = newChange(caller, rows.map(asHeld))
  for (const { body, json } of rows) {
    const { id, text, timestamp } = JSON.parse(body) as { id: string; text: string; timestamp: string }
    const { id: conversation } = JSON.parse(json) as { id: string }
    const before = change.held.get(conversation) as ReturnType<typeof asHeld>
    const { contact } = before.conversation
    change.contacts.set(contact.id, { ...BLANK, ...contact })
    const author = { type: 'customer' as const, id: contact.id, name: contact.name, via: 'channel' as const }
    const content = { direction: 'inbound' as const, status: 'received' as const, author, text, external_id: id, sent_at: timestamp }
    const message = newMessage(conversation, content, new Date().toISOString())
    addMessage(change, message, heard(before, message, null))
    exchange(change, contact.id, message.created_at)
    change.audit.push({ caller, action: 'message.receive', subject: conversation, details: { message_id: message.id } })
    change.events.push({ caller, type: MessageReceived, data: { message, ...snapshots(change, conversation) } } as EventDraft)
  }
  return change
}

/** As long as a contact usually is. */
const BLANK = {
  object: 'contact',
  phone: null,
  external_id: null,
  tags: [],
  note: null,
  blocked: false,
  version: 1,
  created_at: '2026-11-23T00:00:00.000Z',
  updated_at: '2026-11-23T00:00:00.000Z',
  orders_count: 0,
  total_spent_amount: 0,
  last_message_at: null,
  channels: [],
} as unknown as ContactSnapshot

if (role === 'web') await web()
else await worker()
