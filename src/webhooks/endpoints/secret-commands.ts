// `shopdesk secrets …`: for operators, over all workspaces.
import type { Command } from 'commander'
import { withDatabase } from '../../cli/command.ts'
import { jsonOption } from '../../cli/options.ts'
import { OperatorError } from '../../errors.ts'
import { type Reencrypted, reencrypt } from './reencrypt.ts'

export function secretCommands(program: Command): void {
  program
    .command('secrets')
    .description('what is encrypted with SECRET_KEY')
    .command('reencrypt')
    .description('encrypt anew, with the first key of SECRET_KEY, what older ones have encrypted; can be interrupted, and goes on')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const live = process.stdout.isTTY && !json
      const made = await withDatabase(({ sql, keyring }) =>
        reencrypt(sql, keyring, progress => {
          if (live) process.stdout.write(`\r\x1b[2K${lineOf(progress)}`)
        }),
      )
      if (live) process.stdout.write('\r\x1b[2K')
      console.log(json ? JSON.stringify(made) : `${lineOf(made)}.`)
      if (made.left > 0)
        throw new OperatorError(
          `${made.left} of them need a key that SECRET_KEY lacks, or do not open with it; bin/shopdesk doctor says which keys they need.`,
        )
    })
}

const lineOf = ({ key, total, done }: Reencrypted): string => `${done} of ${total} webhooks encrypted anew with key ${key}`
