// The commands that pages print: each is one that there is, with the arguments and options that it takes.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Command } from 'commander'
import { commands as keyCommands } from '../../src/access/commands.ts'
import { eventTypes, exportables, sealedTables } from '../../src/catalog.ts'
import { commands as channelCommands } from '../../src/channels/commands.ts'
import { commands as conversationCommands } from '../../src/conversations/commands.ts'
import { commands as exportCommands } from '../../src/exports/commands.ts'
import { commands as importCommands } from '../../src/imports/commands.ts'
import { commands as mailCommands } from '../../src/mail/commands.ts'
import { commands as paymentCommands } from '../../src/payments/commands.ts'
import { commands as jobCommands } from '../../src/queue/commands.ts'
import { commands as secretCommands } from '../../src/secret-commands.ts'
import { commands as tenantCommands } from '../../src/tenants/commands.ts'
import { commands as webhookCommands } from '../../src/webhooks/commands.ts'

/** Those of the program itself: `src/cli/cli.ts` runs where it is imported. */
const PROCESSES = ['start', 'web', 'worker', 'migrate', 'doctor', 'listen', 'schema', 'client']

const program = new Command('shopdesk')
for (const commands of [
  keyCommands,
  channelCommands,
  conversationCommands,
  importCommands,
  mailCommands,
  paymentCommands,
  jobCommands,
  tenantCommands,
])
  commands(program)
exportCommands(program, exportables)
secretCommands(program, sealedTables)
webhookCommands(program, eventTypes)

/** What a page prints in blocks, and what it names in its text. */
const printed = globSync(['*.md', 'docs/*.md', 'docs/{api,channels,errors}/*.md']).flatMap(file =>
  [
    ...readFileSync(file, 'utf8')
      .replaceAll('\\\n', ' ')
      .matchAll(/bin\/shopdesk ([^`\n]+)/g),
  ].map(([, line = '']) => ({ file, line })),
)

test('every command that a page prints is one, and takes what it is given', () => {
  assert.ok(printed.length > 60)
  const wrong = printed.flatMap(({ file, line }) => faultsOf(wordsOf(line)).map(fault => `${file}: ${line}: ${fault}`))
  assert.deepEqual(wrong, [])
})

/** As a shell reads it, without its comment and whatever stands behind it. */
const wordsOf = (line: string): string[] =>
  [
    ...(line
      .replace(/(^|\s)#.*$/, '')
      .split(/[;|&>]/)[0]
      ?.matchAll(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []),
  ].map(([word]) => word)

function faultsOf(words: string[]): string[] {
  let command = program
  const given = [...words]
  while (given.length > 0) {
    const next = command.commands.find(each => each.name() === given[0])
    if (!next) break
    command = next
    given.shift()
  }
  if (command === program)
    return PROCESSES.includes(words[0] ?? '') || words[0]?.startsWith('--') ? [] : [`there is no command ${words[0]}`]
  const faults: string[] = []
  const [options, places]: [Set<string>, string[]] = [new Set(), []]
  for (let at = 0; at < given.length; at++) {
    const word = given[at] as string
    if (!word.startsWith('--')) {
      places.push(word)
      continue
    }
    const option = command.options.find(each => each.long === word || each.long === word.replace(/^--no-/, '--'))
    if (word !== '--help' && !option) faults.push(`${command.name()} has no ${word}`)
    else if (option?.required) at++
    options.add(word)
  }
  const isNamed = places.length === 0 && options.size === 0
  if (isNamed || options.has('--help')) return faults
  if (command.commands.length > 0) faults.push(`${command.name()} has no command ${places[0]}`)
  const takes = command.registeredArguments
  if (places.length > takes.length) faults.push(`${command.name()} takes no ${places.at(-1)}`)
  return faults
}
