// A live inbox in the terminal: messages as they come, and what is typed as replies.
import type { Caller } from '../caller.ts'
import type { CommandContext } from '../cli/command.ts'
import { openTerminal, type Terminal } from '../cli/terminal.ts'
import { createChanges, type Seen } from '../live/changes.ts'
import { batched } from '../postgres/batch.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import * as lists from './list-store.ts'
import { reply } from './reply.ts'
import type { Conversation, Message } from './schema.ts'
import { customerOf, fateOf, lines, TIME_COLUMNS, titleOf } from './transcript.ts'

/** Messages that are shown of a conversation at the beginning. */
const HISTORY = 10

/** Until Ctrl-C, or in one conversation until the input ends. @param id the only conversation; without it, all of the workspace */
export async function follow({ sql, databaseUrl }: CommandContext & { sql: Sql }, caller: Caller, id: string | undefined): Promise<void> {
  const statuses = new Map<string, Message['status']>()
  const terminal = openTerminal({
    indent: TIME_COLUMNS,
    onLine: id === undefined ? undefined : async line => (await write(sql, caller, id, line)).forEach(terminal.say),
  })
  const show = id === undefined ? shownWithTitles(terminal) : ({ line }: Line) => terminal.print(line)
  const changes = createChanges(sql, databaseUrl, QUIET)
  const print = batched<Seen, void>(async seen => {
    for (const each of await told(sql, caller, seen, statuses)) show(each)
    return seen.map(() => undefined)
  })
  const leave = await changes.watch(caller.tenant, {
    changed: all => {
      for (const each of all) if (id === undefined || each.conversation === id) print(each).catch(error => console.error(String(error)))
    },
    lost: () => console.error('Too much happened at once: some messages are not shown. See: bin/shopdesk conversation list'),
  })
  try {
    if (id !== undefined) await open(sql, caller, id, statuses, terminal)
    // Ctrl-C ends it properly from the moment that a line says so.
    const ended = terminal.ended()
    for (const line of id === undefined ? inboxNotes(caller) : [EACH_LINE]) terminal.say(line)
    await ended
  } finally {
    leave()
    await changes.close()
  }
}

const EACH_LINE = 'Each line that you type is a reply; Ctrl-C ends this.'
const inboxNotes = ({ tenant }: Caller): string[] => [
  'Messages are shown as they come; Ctrl-C ends this. In another terminal, answer:',
  `bin/shopdesk conversation follow conv_… --tenant ${tenant}`,
]

interface Line {
  conversation: string
  customer: string
  line: string
}

/** Says of which conversation lines are: on a terminal above them, where it is another than before; else on each line. */
function shownWithTitles({ isLive, print }: Terminal): (line: Line) => void {
  let last: string | undefined
  return ({ conversation, customer, line }) => {
    if (!isLive) return print(`${conversation}  ${customer}  ${line}`)
    if (conversation !== last) print(`${conversation}  ${customer}`)
    last = conversation
    print(line)
  }
}

/** What could not be read is read with the next change. */
const QUIET = { warn: () => console.error('The database does not answer; what changes is shown late.') } as never

async function open(sql: Sql, { tenant }: Caller, id: string, statuses: Map<string, string>, { print }: Terminal): Promise<void> {
  const text = await lists.findDetail(sql, tenant, id)
  if (!text) throw notFound('conversation')
  const { messages, ...conversation } = JSON.parse(text.toString()) as Conversation & { messages: Message[] }
  const shown = messages.slice(0, HISTORY).toReversed()
  for (const message of messages) statuses.set(message.id, message.status)
  for (const line of [titleOf(conversation as Conversation), ...lines(shown)]) print(line)
}

/** Lines for messages that are new, and for those whose status is. */
async function told(sql: Sql, { tenant }: Caller, seen: Seen[], statuses: Map<string, string>): Promise<Line[]> {
  const ids = [...new Set(seen.flatMap(each => each.message ?? []))]
  if (ids.length === 0) return []
  const messages = (await lists.findMessages(sql, tenant, ids)).map(json => JSON.parse(json) as Message)
  const news = messages.filter(({ id, status }) => statuses.get(id) !== status)
  const names = await customers(sql, tenant, news)
  return news.map(message => {
    const { id, conversation_id: conversation, status } = message
    const known = statuses.has(id)
    statuses.set(id, status)
    const line = known ? fateOf(message) : (lines([message])[0] as string)
    return { conversation, customer: names.get(conversation) ?? '', line }
  })
}

async function customers(sql: Sql, tenant: string, messages: Message[]): Promise<Map<string, string>> {
  const all = await lists.findAll(sql, tenant, [...new Set(messages.map(each => each.conversation_id))])
  return new Map(all.map(json => JSON.parse(json) as Conversation).map(each => [each.id, customerOf(each)]))
}

/** @returns why it was not sent, in lines */
async function write(sql: Sql, caller: Caller, id: string, line: string): Promise<string[]> {
  const text = line.trim()
  if (text === '') return []
  return begin(sql, tx => reply(tx, caller, id, { text })).then(
    () => [],
    error => {
      if (!(error instanceof Problem)) throw error
      return [`Not sent: ${text}`, error.message]
    },
  )
}
