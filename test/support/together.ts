// Files of tests in one process, one after another: the second finds everything loaded, compiled and warm. Each is a test, so that its hooks run
// at its end and its name is said. Only groups.ts writes what calls this.
import { after, before, mock, test } from 'node:test'
import { killAll } from './processes.ts'

/** A hang is for the limit of its test to find. A file is many tests, and has none but the run's: Infinity would count as none given, which is a test's. */
const FILE_MAX_MS = 2 ** 31 - 1

/** @param files their paths from the root of the clone */
export async function together(files: string[]): Promise<void> {
  const env = { ...process.env }
  // A file whose only timers are unreferenced ones would end the process, and with it those after it.
  const alive = setInterval(() => {}, 60_000)
  for (const file of files) {
    await test(file, { timeout: FILE_MAX_MS }, async () => {
      // shopdesk.ts asks for this too, when it is loaded: by the first file that needs it, and for that file alone.
      after(killAll)
      const loaded = Promise.withResolvers<void>()
      // Else the first test would begin where it stands, before what is declared below it.
      before(() => loaded.promise)
      try {
        await import(new URL(`../../${file}`, import.meta.url).href)
      } finally {
        loaded.resolve()
      }
    })
    mock.reset()
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
  }
  clearInterval(alive)
}
