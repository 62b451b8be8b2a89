// Files that a command writes from the code and keeps beside it. `--check` finds those that the code no longer makes.
import { readFile, writeFile } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'

export interface Generated {
  /** From the top of the project. */
  path: string
  /** What it is made from, as the sentence of a difference names it. */
  source: string
  /** What is said where it is as it should be. */
  same: string
  /** The command that writes it. */
  command: string
  text(): string
}

const TOP = new URL('../../', import.meta.url)

export async function writeGenerated({ path, text }: Generated): Promise<void> {
  await writeFile(new URL(path, TOP), text())
  console.log(`Wrote ${path}.`)
}

/** @throws {OperatorError} where the file is not what the code makes */
export async function checkGenerated({ path, source, same, command, text }: Generated): Promise<void> {
  if ((await readFile(new URL(path, TOP), 'utf8').catch(() => '')) === text()) return console.log(same)
  throw new OperatorError(`${path} is not what ${source} makes; run: ${command}`)
}
