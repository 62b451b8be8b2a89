// Commands of `bin/shopdesk` in this process, for tests of what they do and say: a fifth of a second cheaper than a process of their own. Those of
// processes, signals, terminals and pipes use shopdesk.ts. No process is to be started meanwhile: it would inherit a command's settings.
import type { Command } from 'commander'
import { CommanderError } from 'commander'
import { printable } from '../../src/cli/printable.ts'
import { programFor } from '../../src/cli/program.ts'
import { OperatorError } from '../../src/errors.ts'
import { Problem } from '../../src/problems.ts'

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

let last: Promise<unknown> = Promise.resolve()

/** Runs the command with these settings, after those that were asked for before, for they share the console. @returns what it said, and its exit code */
export function command(args: string[], settings: Record<string, string | undefined>): Promise<Ended> {
  const mine = last.then(() => withSettings(settings, () => heard(() => run(args))))
  last = mine.catch(() => {})
  return mine
}

// As cli.ts ends a process.
async function run(args: string[]): Promise<number> {
  const before = process.exitCode
  process.exitCode = undefined
  const program = await programFor(args[0] ?? 'help')
  for (const each of withInner(program))
    each.exitOverride().configureOutput({ writeOut: text => console.log(text.trimEnd()), writeErr: text => console.error(text.trimEnd()) })
  try {
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    console.error(error instanceof OperatorError || error instanceof Problem ? printable(error.message) : error)
    return 1
  } finally {
    process.exitCode = before
  }
}

const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)]

async function heard(work: () => Promise<number>): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const { log, error } = console
  const { write } = process.stderr
  const line =
    (stream: keyof typeof said) =>
    (...parts: unknown[]) => {
      said[stream] += `${parts.join(' ')}\n`
    }
  Object.assign(console, { log: line('stdout'), error: line('stderr') })
  // The progress of a command. On stdout node:test speaks with its runner.
  process.stderr.write = (text: string | Uint8Array) => {
    said.stderr += text
    return true
  }
  try {
    return { code: await work(), ...said }
  } finally {
    Object.assign(console, { log, error })
    process.stderr.write = write
  }
}

async function withSettings<T>(settings: Record<string, string | undefined>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(settings).map(name => [name, process.env[name]]))
  set(settings)
  try {
    return await work()
  } finally {
    set(before)
  }
}

function set(settings: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(settings))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
}
