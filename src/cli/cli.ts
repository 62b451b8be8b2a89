// The command line. An error that an operator can fix is one line on stderr and exit code 1.
import { CommanderError } from 'commander'
import { OperatorError } from '../errors.ts'
import { Problem } from '../problems.ts'
import { outlive } from './ending.ts'
import { printable } from './printable.ts'
import { programFor } from './program.ts'

// What is left to do is done all the same, and says no more.
outlive(process.stdout)
const [asked = 'help'] = process.argv.slice(2)
const program = await programFor(asked)
await program.parseAsync().catch(fail)

function fail(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode)
  if (error instanceof OperatorError || error instanceof Problem) console.error(printable(error.message))
  else console.error(error)
  process.exit(1)
}
