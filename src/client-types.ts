// The types of the TypeScript client, kept in docs/client so that an example can be checked against them: written from the OpenAPI document.
import { readFile, writeFile } from 'node:fs/promises'
import { loadConfig } from './config.ts'
import { typesOf } from './docs/types.ts'
import { OperatorError } from './errors.ts'
import { restRoutes } from './rest.ts'

const FILE = new URL('../docs/client/schema.d.ts', import.meta.url)

export async function writeTypes(): Promise<void> {
  await writeFile(FILE, types())
  console.log('Wrote docs/client/schema.d.ts.')
}

/** @throws {OperatorError} when the document has changed since the types were written */
export async function checkTypes(): Promise<void> {
  if ((await readFile(FILE, 'utf8').catch(() => '')) === types()) return console.log('The client has the types of the OpenAPI document.')
  throw new OperatorError('docs/client/schema.d.ts is not what the OpenAPI document makes; run: bin/shopdesk client')
}

// No route is called, so their dependencies may be missing.
function types(): string {
  const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: 'https://shop.example' })
  return typesOf(restRoutes(config, {} as never, {} as never).document as never)
}
