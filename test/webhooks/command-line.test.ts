// bin/shopdesk webhook … against REST and the guide: both take the same input, and the command line reports a refusal in its own words.
// The commands are read from the program itself, so no process is started.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Command, CommanderError } from 'commander'
import { eventTypes } from '../../src/catalog.ts'
import { loadConfig } from '../../src/config.ts'
import { OperatorError } from '../../src/errors.ts'
import { restRoutes } from '../../src/rest.ts'
import { commands } from '../../src/webhooks/commands.ts'

const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: 'https://shop.example' })
// No route is called.
const { routes } = restRoutes(config, {} as never, {} as never)

function webhookProgram(): Command {
  const program = new Command('shopdesk').exitOverride().configureOutput({ writeErr: () => {} })
  commands(program, eventTypes)
  const webhook = program.commands.find(each => each.name() === 'webhook') as Command
  for (const command of webhook.commands) command.exitOverride().configureOutput({ writeErr: () => {} })
  return webhook
}
const all = webhookProgram().commands

/** Each operation of REST, and the command that does it. */
const COMMANDS: Record<string, string> = {
  listWebhooks: 'list',
  createWebhook: 'create',
  getWebhook: 'get',
  updateWebhook: 'update',
  deleteWebhook: 'delete',
  pauseWebhook: 'pause',
  resumeWebhook: 'resume',
  enableWebhook: 'enable',
  disableWebhook: 'disable',
  rotateWebhookSecret: 'rotate-secret',
  confirmWebhookSecret: 'confirm-secret',
  listWebhookDeliveries: 'deliveries',
  getWebhookDelivery: 'deliveries',
  getWebhookHealth: 'health',
  redeliverWebhookEvent: 'redeliver',
  testWebhook: 'test',
  recoverWebhook: 'recover',
  listWebhookRecoveries: 'recoveries',
  getWebhookRecovery: 'recoveries',
  cancelWebhookRecovery: 'cancel-recovery',
  listEventTypes: 'event-types',
}
/** Lists have one sort, no offset, and their JSON is read by programs that can take what they want of it. */
const NOT_HERE = ['sort', 'offset', 'fields']
const OPTIONS: Record<string, string> = { headers: '--header', max_per_second: '--rate', event_id: '--event' }

type Shape = { properties?: Record<string, unknown> } | undefined

suite('bin/shopdesk webhook', () => {
  for (const route of routes.filter(({ operationId, tag }) => tag === 'Webhooks' || operationId === 'listEventTypes')) {
    test(`does what ${route.operationId} does, and takes what it takes`, () => {
      const command = all.find(each => each.name() === COMMANDS[route.operationId])
      assert.ok(command, `${route.operationId} has no command`)
      const { query, body } = route as { query?: Shape; body?: Shape }
      const taken = Object.keys({ ...query?.properties, ...body?.properties }).filter(name => !NOT_HERE.includes(name))
      const options = command.options.map(({ long }) => long)
      for (const name of taken) assert.ok(options.includes(OPTIONS[name] ?? `--${name.replaceAll('_', '-')}`), `${command.name()}: ${name}`)
    })
  }

  test('the guide names every command, and no other', () => {
    const [, list = ''] = /On the command line all of this([\s\S]*?)\n\n/.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? []
    const named = [...list.matchAll(/`([a-z][a-z-]*)`/g)].map(([, name]) => name as string)
    assert.deepEqual(named.sort(), all.map(each => each.name()).sort())
  })

  test('every option says what it is, and every time how it is written or where that stands', () => {
    for (const command of all) {
      for (const { flags, description } of command.options) assert.ok(description.length >= 6, `${command.name()} ${flags}`)
      const times = command.options.filter(({ flags }) => flags.endsWith('<time>'))
      assert.ok(times.length === 0 || times.some(({ description }) => description.includes('2026-')), command.name())
    }
  })
})

/** No database is asked: the command alone determines these lines. */
const REFUSED: [line: RegExp, ...args: string[]][] = [
  [/^--state holds "bogus"; it must be one of pending, succeeded, failed, dropped\.$/, 'deliveries', 'whk', '--state', 'pending,bogus'],
  [/^--type holds "order\.eaten"; it must be one of order\.created, /, 'deliveries', 'whk', '--type', 'order.eaten'],
  [/^--limit is "101"; it must be <= 100\.$/, 'deliveries', 'whk', '--limit', '101'],
  [/^--limit is "1\.0"; it must be a whole number\.$/, 'list', '--limit', '1.0'],
  [/^--cursor is not a cursor of this list; /, 'recoveries', 'whk', '--cursor', 'abc'],
  [
    /^--created-after is "yesterday"; it must be an ISO 8601 time with its zone, such as /,
    'deliveries',
    'whk',
    '--created-after',
    'yesterday',
  ],
  [/'--event <id>' cannot be used with option '--state <list>'/, 'deliveries', 'whk', '--event', 'evt', '--state', 'failed'],
  [/^--rate is "1000"; it must be <= 100\.$/, 'recover', 'whk', '--rate', '1000'],
  [/^--since is "x"; it must be an ISO [^.]+\.000Z\. --rate is "-1"; it must be >= 1\.$/, 'recover', 'whk', '--since', 'x', '--rate', '-1'],
  [/^--types holds "b"; it must be one of order\.created, /, 'recover', 'whk', '--types', 'order.created, b'],
  [/^--type is "order\.eaten"; it must be one of webhook\.test, order\.created, /, 'test', 'whk', '--type', 'order.eaten'],
  [/^Nothing is to be changed; give at least one of --url, --events, .*--remove-header\.$/, 'update', 'whk'],
  [/^--header must be a name, a colon and a value, such as 'X-Shop: 7'; one has no colon\.$/, 'update', 'whk', '--header', 's3cret'],
  [/^--header names x-a twice; /, 'update', 'whk', '--header', 'X-A: 1', '--header', 'x-a: 2'],
  [/^--header names x-a twice; /, 'update', 'whk', '--header', 'X-A: 1', '--remove-header', 'X-A'],
  [/^--header X A is no name of a header; [^.]*\.$/, 'update', 'whk', '--header', 'X A: 1'],
  [/^--header is no name of a header; [^.]*\.$/, 'update', 'whk', '--header', ': 1'],
  [/^--header X-A must have a value of visible ASCII[^.]*\.$/, 'update', 'whk', '--header', 'X-A: s\u00e9cret'],
  [/^--header X-A has no value; --remove-header /, 'update', 'whk', '--header', 'X-A:'],
  [/^--max-per-minute is "some"; it must be a whole number or none\.$/, 'update', 'whk', '--max-per-minute', 'some'],
  [/^--max-parallel is "65"; it must be <= 64\.$/, 'create', '--url', 'u', '--events', 'order.created', '--max-parallel', '65'],
  [/^--events holds "order\.x"; it must be one of order\.created, /, 'create', '--url', 'u', '--events', 'order.x'],
  [/^--events is ""; it must not be empty\.$/, 'create', '--url', 'u', '--events', ','],
  [/^--description must have at most 500 characters\.$/, 'update', 'whk', '--description', 'x'.repeat(501)],
  [/^"order\.eaten" is no event type; there are order\.created, /, 'event-types', 'order.eaten'],
]

suite('a refusal is one line that names the option and its allowed values', () => {
  for (const [line, ...args] of REFUSED) {
    test(args.join(' ').slice(0, 60), async () => {
      const all = args[0] === 'event-types' ? args : [...args, '--tenant', 'ten_nobody']
      const refused = await webhookProgram()
        .parseAsync(all, { from: 'user' })
        .catch(error => error)
      assert.ok(refused instanceof OperatorError || refused instanceof CommanderError, String(refused))
      assert.match(refused.message, line)
      assert.doesNotMatch(refused.message, /\n|s3cret|s\u00e9cret/)
    })
  }
})
