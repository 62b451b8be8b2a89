// `shopdesk secrets …`: for operators, over all workspaces.
import type { Command } from 'commander'
import { withDatabase } from './cli/command.ts'
import { jsonOption } from './cli/options.ts'
import { withProgress } from './cli/progress.ts'
import { OperatorError } from './errors.ts'
import type { SealedTable } from './postgres/sealed.ts'
import { reencrypt } from './reencrypt.ts'

/** @param tables all that have something encrypted */
export function commands(program: Command, tables: SealedTable[]): void {
  const what = tables.map(each => each.what).join(', ')
  program
    .command('secrets')
    .description('what is encrypted with SECRET_KEY')
    .command('reencrypt')
    .description('encrypt anew, with the first key of SECRET_KEY, what older ones have encrypted; can be interrupted, and goes on')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const made = await withDatabase(({ sql, keyring }) =>
        withProgress({ json, elsewhere: 'now and then' }, ({ show }) =>
          reencrypt(sql, keyring, tables, ({ total, done, left }) => {
            if (total > 0) show({ total, done, what, failed: left })
          }),
        ),
      )
      console.log(json ? JSON.stringify(made) : `${made.done} of ${made.total} encrypted anew with key ${made.key}: ${what}.`)
      if (made.left > 0)
        throw new OperatorError(
          `${made.left} of them need a key that SECRET_KEY lacks, or do not open with it; bin/shopdesk doctor says which keys they need.`,
        )
    })
}
