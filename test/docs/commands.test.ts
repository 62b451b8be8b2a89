// The commands that pages print: each is one that there is, with the arguments and options that it takes.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Command } from 'commander'
import { addNouns, nouns } from '../../src/cli/nouns.ts'

/** Those of the program itself: `src/cli/cli.ts` runs where it is imported. */
const PROCESSES = ['start', 'web', 'worker', 'migrate', 'doctor', 'listen', 'schema', 'client']

const program = new Command('shopdesk')
await addNouns(program, 'help')

/** What a page prints in blocks, and what it names in its text. */
const printed = globSync(['*.md', 'docs/*.md', 'docs/{agent,api,apps,channels,errors}/*.md']).flatMap(file =>
  [
    ...readFileSync(file, 'utf8')
      .replaceAll('\\\n', ' ')
      .matchAll(/bin\/shopdesk ([^`\n]+)/g),
  ].map(([, line = '']) => ({ file, line })),
)

test('a noun adds the commands by whose names it is found, and no others', async () => {
  for (const { names, load } of nouns) {
    const alone = new Command('shopdesk')
    ;(await load())(alone)
    assert.deepEqual(
      alone.commands.map(command => command.name()),
      names,
    )
  }
})

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
  if (places.length > takes.length && !takes.at(-1)?.variadic) faults.push(`${command.name()} takes no ${places.at(-1)}`)
  return faults
}
