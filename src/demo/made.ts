// What is remembered of the demo from run to run.
import { readFile, rename, writeFile } from 'node:fs/promises'

/** The workspace of the first run. Kept in DATA_DIR, readable by its owner alone, so that later starts can show it again. */
export interface Made {
  tenant: string
  key: string
  webhook: string
  secret: string
  /** The channel of platform `api`, and its secret. A workspace of an older program has none. */
  channel?: { id: string; secret: string }
  /** The channel of platform `web`. */
  chat?: string
  /** The admin's. */
  password?: string
  agentKey?: string
  /** The loyalty example's, from when it was installed. */
  app?: DemoApp
}

/** How the example's service is called. */
export interface DemoApp {
  secret: string
  /** Where it listened last, on loopback. */
  port: number
}

export async function readMade(file: string): Promise<Made | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Made)
}

// Moved into place whole: a half-written file would stop every later start.
export async function keep(file: string, made: Made): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
