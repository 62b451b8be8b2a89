// A live inbox in the terminal: messages as they come, and what is typed as replies.
import { createInterface } from 'node:readline'
import type { Caller } from '../caller.ts'
import type { CommandContext } from '../cli/command.ts'
import { createChanges, type Seen } from '../live/changes.ts'
import { batched } from '../postgres/batch.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import * as lists from './list-store.ts'
import { reply } from './reply.ts'
import type { Conversation, Message } from './schema.ts'
import { customerOf, fateOf, lines, titleOf } from './transcript.ts'

/** Messages that are shown of a conversation at the beginning. */
const HISTORY = 10

/** Until Ctrl-C, or in one conversation until the input ends. @param id the only conversation; without it, all of the workspace */
export async function follow({ sql, databaseUrl }: CommandContext & { sql: Sql }, caller: Caller, id: string | undefined): Promise<void> {
  const statuses = new Map<string, Message['status']>()
  const changes = createChanges(sql, databaseUrl, QUIET)
  const print = batched<Seen, void>(async seen => {
    for (const each of await told(sql, caller, seen, statuses, id)) console.log(each)
    return seen.map(() => undefined)
  })
  const leave = await changes.watch(caller.tenant, {
    changed: all => {
      for (const each of all) if (id === undefined || each.conversation === id) print(each).catch(error => console.error(String(error)))
    },
    lost: () => console.error('Too much happened at once: some messages are not shown. See: bin/shopdesk conversation list'),
  })
  try {
    if (id === undefined) console.error('Messages are shown as they come; Ctrl-C ends this.')
    else await open(sql, caller, id, statuses)
    await ended(line => (id === undefined ? undefined : write(sql, caller, id, line)), id !== undefined)
  } finally {
    leave()
    await changes.close()
  }
}

/** What could not be read is read with the next change. */
const QUIET = { warn: () => console.error('The database does not answer; what changes is shown late.') } as never

async function open(sql: Sql, { tenant }: Caller, id: string, statuses: Map<string, string>): Promise<void> {
  const text = await lists.findDetail(sql, tenant, id)
  if (!text) throw notFound('conversation')
  const { messages, ...conversation } = JSON.parse(text.toString()) as Conversation & { messages: Message[] }
  const shown = messages.slice(0, HISTORY).toReversed()
  for (const message of messages) statuses.set(message.id, message.status)
  console.log(titleOf(conversation as Conversation))
  for (const line of lines(shown)) console.log(line)
  console.error('Each line that you type is a reply; Ctrl-C ends this.')
}

/** Lines for messages that are new, and for those whose status is. */
async function told(
  sql: Sql,
  { tenant }: Caller,
  seen: Seen[],
  statuses: Map<string, string>,
  only: string | undefined,
): Promise<string[]> {
  const ids = [...new Set(seen.flatMap(each => each.message ?? []))]
  if (ids.length === 0) return []
  const messages = (await lists.findMessages(sql, tenant, ids)).map(json => JSON.parse(json) as Message)
  const news = messages.filter(({ id, status }) => statuses.get(id) !== status)
  const names = only === undefined ? await customers(sql, tenant, news) : new Map<string, string>()
  return news.map(message => {
    const known = statuses.has(message.id)
    statuses.set(message.id, message.status)
    const line = known ? fateOf(message) : (lines([message])[0] as string)
    return only === undefined ? `${message.conversation_id}  ${names.get(message.conversation_id) ?? ''}  ${line}` : line
  })
}

async function customers(sql: Sql, tenant: string, messages: Message[]): Promise<Map<string, string>> {
  const all = await lists.findAll(sql, tenant, [...new Set(messages.map(each => each.conversation_id))])
  return new Map(all.map(json => JSON.parse(json) as Conversation).map(each => [each.id, customerOf(each)]))
}

async function write(sql: Sql, caller: Caller, id: string, line: string): Promise<void> {
  const text = line.trim()
  if (text === '') return
  await begin(sql, tx => reply(tx, caller, id, { text })).catch(error => {
    if (!(error instanceof Problem)) throw error
    console.error(error.message)
  })
}

/** Resolves at Ctrl-C, and where the input is read, at its end. */
function ended(onLine: (line: string) => Promise<void> | undefined, reads: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const input = createInterface({ input: process.stdin })
    let writing = Promise.resolve()
    const end = () => {
      input.close()
      process.stdin.unref?.()
      writing.then(resolve, reject)
    }
    input.on('line', line => {
      writing = writing.then(() => onLine(line))
      writing.catch(reject)
    })
    if (reads) input.on('close', end)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  })
}
