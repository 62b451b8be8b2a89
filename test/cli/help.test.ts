// The help of every command, as a terminal of 80 columns shows it: Commander folds a list of commands whose names leave room for what they do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { nouns } from '../../src/cli/nouns.ts'
import { programFor } from '../../src/cli/program.ts'

const COLUMNS = 80

const within = (command: Command): Command[] => [command, ...command.commands.flatMap(within)]

for (const asked of ['start', ...nouns.flatMap(({ names }) => names)])
  test(`${asked}: no line is longer than a terminal is wide`, async () => {
    for (const command of within(await programFor(asked))) {
      command.configureHelp({ ...command.configureHelp(), helpWidth: COLUMNS })
      const long = command
        .helpInformation()
        .split('\n')
        .filter(line => line.length > COLUMNS)
      assert.deepEqual(long, [], command.name())
    }
  })
