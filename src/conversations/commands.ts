// `shopdesk conversation …`: what customers write, and answers from the terminal.
import { type Command, Option } from 'commander'
import { checked, commaList, listAsked, listOptions } from '../cli/options.ts'
import { type Column, type Json, show, showPage } from '../cli/output.ts'
import { inOptions, type Wording } from '../cli/refusal.ts'
import { openTerminal } from '../cli/terminal.ts'
import { begin, type Tx } from '../postgres/sql.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand, tenantOption } from '../tenants/tenant-command.ts'
import { filtersOf, listing, query } from './asked.ts'
import { change } from './conversations.ts'
import { follow } from './follow.ts'
import * as lists from './list-store.ts'
import { reply } from './reply.ts'
import { ConversationChange, NewMessage } from './schema.ts'
import { lines, TIME_COLUMNS, titleOf } from './transcript.ts'

export function commands(program: Command): void {
  const conversation = program.command('conversation').description('what customers write, and what they are answered')
  readCommands(conversation)
  writeCommands(conversation)
  changeCommands(conversation)
}

function readCommands(conversation: Command): void {
  listOptions(tenantCommand(conversation, 'list', 'the conversations of a workspace, what happened last first'), query)
    .option('--ai-status <status>', 'on: the assistant answers; paused: it is silent')
    .option('--channel-id <id>', 'on one channel, chn_…')
    .option('--contact-id <id>', 'with one contact, con_…')
    .option('--assigned-to <user>', 'a user’s id, or none')
    .option('--q <text>', 'the customer: the beginning of their name, or their e-mail address, phone number or external id')
    .addOption(new Option('--unread <yes>', 'what is not answered or read, or the rest').choices(['true', 'false']))
    .addOption(new Option('--failed <yes>', 'with messages that failed or are unknown, or without').choices(['true', 'false']))
    .action(async ({ tenant, json, ...options }: Options) => {
      const asked = listAsked(listing, query, options)
      const filters = filtersFor(tenant, asked.filters)
      showPage(await inTenant(tenant, ({ sql }) => lists.list(sql, tenant, filters, asked.page)), asked.page, json, COLUMNS)
    })

  tenantCommand(conversation, 'show <id>', 'one conversation, with its newest messages').action(
    async (id: string, { tenant, json }: Options) => {
      const detail = await inTenant(tenant, ({ sql }) => lists.findDetail(sql, tenant, id))
      show(found('conversation', detail?.toString()), json, value => {
        const { print } = openTerminal({ indent: TIME_COLUMNS })
        for (const line of [titleOf(value as never), ...lines((value['messages'] as []).toReversed())]) print(line)
      })
    },
  )

  example(
    tenantOption(
      conversation
        .command('follow [id]')
        .description('messages as they come, until Ctrl-C; with a conversation’s id, each line that you type is a reply in it'),
    ),
    '',
    'conv_…',
  ).action((id: string | undefined, { tenant }: Options) => inTenant(tenant, context => follow(context, callerOf(tenant), id)))
}

function filtersFor(tenant: string, asked: Parameters<typeof filtersOf>[1]): lists.Filters {
  try {
    return filtersOf(callerOf(tenant), asked)
  } catch (error) {
    throw inOptions(error)
  }
}

/** What is typed without an option before it. */
const wording: Wording = { arguments: { text: 'text', assigned_to: 'user', tags: 'tags' } }

const COLUMNS: Column[] = [
  'id',
  'platform',
  'status',
  ['customer', ({ contact }: Json) => (contact as Json)['name'] ?? (contact as Json)['email']],
  ['unread', row => row['unread_count']],
  ['failed', row => row['failed_count']],
  ['assistant', row => row['ai_status']],
  'assigned_to',
  'waiting_since',
  ['last message', ({ last_message: last }: Json) => last && previewOf(last as Json)],
]

/** A file or a place may come without a word. */
const previewOf = ({ text }: Json): string => (text as string | null)?.slice(0, 60) ?? '[without text]'

function writeCommands(conversation: Command): void {
  const reply = tenantCommand(conversation, 'reply <id> <text>', 'write to the customer; the assistant is paused')
    .option('--last-seen <id>', 'the newest message that you saw, msg_…: refused where the customer was answered after it')
    .option('--in-reply-to <id>', 'quotes this message, msg_…')
  example(reply, "conv_… 'Yes, in M.'").action((id: string, text: string, options: Options) => writeIt(id, text, options))
  tenantCommand(conversation, 'note <id> <text>', 'write a note among your staff, which the customer never sees').action(
    (id: string, text: string, options: Options) => writeIt(id, text, options, { private: true }),
  )
}

async function writeIt(id: string, text: string, options: Options, more: object = {}): Promise<void> {
  const { tenant, json, lastSeen, inReplyTo } = options
  const given = { text, last_seen: lastSeen, in_reply_to: inReplyTo, ...more }
  const input = checked(NewMessage, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), wording)
  const message = await inTenant(tenant, ({ sql }) => begin(sql, tx => reply(tx, callerOf(tenant), id, input)), { input, wording })
  show(JSON.stringify(message), json, () => console.log(lines([message]).join('\n')))
}

function changeCommands(conversation: Command): void {
  for (const [name, description, input] of CHANGES)
    tenantCommand(conversation, `${name} <id>`, description).action((id: string, options: Options) => changeIt(id, options, input))
  tenantCommand(conversation, 'assign <id> <user>', 'have a user take care of it, usr_…; none: no user').action(
    (id: string, user: string, options: Options) => changeIt(id, options, { assigned_to: user === 'none' ? null : user }),
  )
  tenantCommand(conversation, 'tag <id> <tags>', 'give it these tags in place of those it has, comma-separated; none: no tags').action(
    (id: string, tags: string, options: Options) => changeIt(id, options, { tags: tagsOf(tags) }),
  )
}

// Nothing typed is no word for no tags: it may be a variable of a script that is not set.
function tagsOf(typed: string): string[] {
  const tags = commaList(typed)
  if (typed === 'none') return []
  return tags.length > 0 ? tags : ['']
}

const CHANGES: [name: string, description: string, input: ConversationChange][] = [
  ['close', 'nothing in it is to be done; a message within the channel’s reopening time opens it again', { status: 'closed' }],
  ['reopen', 'it is to be done again', { status: 'open' }],
  ['pause', 'the assistant does not answer in it', { ai_status: 'paused' }],
  ['resume', 'the assistant answers in it, what comes from now on', { ai_status: 'on' }],
]

async function changeIt(id: string, { tenant, json }: Options, asked: ConversationChange): Promise<void> {
  const input = checked(ConversationChange, asked, wording)
  const changed = await inTenant(tenant, ({ sql }) => begin(sql, (tx: Tx) => change(tx, callerOf(tenant), id, input, () => {})), {
    input,
    wording,
  })
  show(changed, json, value => console.log(titleOf(value as never)))
}
